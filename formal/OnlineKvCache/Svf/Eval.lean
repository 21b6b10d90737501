module

public import OnlineKvCache.Svf.Scheduler
public import OnlineKvCache.NonClairvoyant.RectEval

@[expose] public section

/-! # Evaluating shortest volume first in the kernel

The same as `svf`, with each start brought to normal form before the next request is placed, so
that `decide +kernel` runs it quickly. -/

namespace OnlineKvCache

/-- `firstFit`, in normal forms. -/
noncomputable def evalFit (M : Nat) (P : List (Request × Nat)) (q : Request) : Nat → Nat → Nat
  | 0, t => t
  | fuel + 1, t =>
    if fitsFor M P q.prompt t q.output then t else forceNat (t + 1) (evalFit M P q fuel)

theorem evalFit_eq (M : Nat) (P : List (Request × Nat)) (q : Request) : ∀ fuel t,
    evalFit M P q fuel t = firstFit M P q fuel t
  | 0, _ => rfl
  | fuel + 1, t => by rw [evalFit, firstFit, forceNat_eq, evalFit_eq M P q fuel]

/-- `placeAll`, in normal forms. -/
noncomputable def evalPlaced (M : Nat) : List (Request × Nat) → List Request → List (Request × Nat)
  | P, [] => P
  | P, q :: l =>
    forceNat (placedEnd P) fun fuel =>
    forceNat (lastStart P) fun t =>
    forceNat (evalFit M P q fuel t) fun k => evalPlaced M ((q, k) :: P) l

theorem evalPlaced_eq (M : Nat) : ∀ (l : List Request) (P : List (Request × Nat)),
    evalPlaced M P l = placeAll M P l
  | [], _ => rfl
  | q :: l, P => by
    rw [evalPlaced, placeAll]
    simp only [forceNat_eq, evalFit_eq, evalPlaced_eq M l]

/-- The starts that shortest volume first gives to the requests of a burst, in their order, for
`decide +kernel`. -/
noncomputable def evalSvf (M : Nat) (I : List Request) : List Nat :=
  (fun S => I.map fun q => S q.id) (startIn (evalPlaced M [] (svfOrder I)))

/-- Evaluation gives what the definition says. -/
theorem evalSvf_eq (M : Nat) (I : List Request) : evalSvf M I = I.map fun q => svf M I q.id := by
  simp only [evalSvf, evalPlaced_eq, svf, listSchedule]

end OnlineKvCache
