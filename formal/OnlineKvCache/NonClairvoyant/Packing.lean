module

@[expose] public section

/-! # Any-fit packing: definitions

Rectangles with a width (memory that is reserved) and a height (rounds), put into a strip of width
`M`. Any-fit list scheduling: in every round all waiting rectangles are scanned in list order, and
each that fits beside those that run is started; it holds its width until it ends. (Between two ends
nothing changes, so scanning in every round is scanning at the start and at every end.) The strict
variant stops its scan at the first rectangle that does not fit. -/

namespace OnlineKvCache.Packing

variable {α : Type}

/-- Width in use in round `t` when `j` runs in the rounds `start j, …, start j + height j - 1`. -/
noncomputable def usedAt (l : List α) (start width height : α → Nat) (t : Nat) : Nat :=
  (l.map fun j => if start j ≤ t ∧ t < start j + height j then width j else 0).sum

/-- Total area. -/
noncomputable def area (l : List α) (width height : α → Nat) : Nat :=
  (l.map fun j => width j * height j).sum

/-- The property that any-fit scheduling from round `t₀` on has: nothing starts before `t₀`, and in
every round from `t₀` to its start a rectangle does not fit beside those that run. -/
structure AnyFit (M : Nat) (l : List α) (start width height : α → Nat) (t₀ : Nat) : Prop where
  /-- Nothing starts before the window. -/
  after : ∀ j ∈ l, t₀ ≤ start j
  /-- What waits does not fit. -/
  full : ∀ j ∈ l, ∀ t, t₀ ≤ t → t < start j → M < usedAt l start width height t + width j

/-- What a scan starts when `used` is in use: every rectangle that fits, or (strict) every
rectangle up to the first that does not. -/
def picked (strict : Bool) (M : Nat) (width : α → Nat) : Nat → List α → List α
  | _, [] => []
  | used, j :: l =>
    if used + width j ≤ M then j :: picked strict M width (used + width j) l
    else if strict then [] else picked strict M width used l

/-- What a scan leaves waiting. -/
def skipped (strict : Bool) (M : Nat) (width : α → Nat) : Nat → List α → List α
  | _, [] => []
  | used, j :: l =>
    if used + width j ≤ M then skipped strict M width (used + width j) l
    else if strict then j :: l else j :: skipped strict M width used l

/-- Put the started rectangles on the record, the latest first. -/
def record (t : Nat) : List α → List (α × Nat) → List (α × Nat)
  | [], log => log
  | j :: l, log => record t l ((j, t) :: log)

/-- Width in use in round `t` by what is on the record. -/
def usedBy (width height : α → Nat) (t : Nat) : List (α × Nat) → Nat
  | [] => 0
  | e :: log => (if e.2 ≤ t ∧ t < e.2 + height e.1 then width e.1 else 0) +
      usedBy width height t log

/-- List scheduling for at most `n` rounds from round `t` on: the record (rectangle, start) of what
was started. It ends when nothing waits. -/
def run (strict : Bool) (M : Nat) (width height : α → Nat) :
    Nat → Nat → List (α × Nat) → List α → List (α × Nat)
  | 0, _, log, _ => log
  | _ + 1, _, log, [] => log
  | n + 1, t, log, j :: l =>
    run strict M width height n (t + 1)
      (record t (picked strict M width (usedBy width height t log) (j :: l)) log)
      (skipped strict M width (usedBy width height t log) (j :: l))

/-- Any-fit list scheduling of `l` from round `t₀` on, for at most `n` rounds. -/
def anyFit (M : Nat) (width height : α → Nat) (n t₀ : Nat) (l : List α) : List (α × Nat) :=
  run false M width height n t₀ [] l

/-- The start that a record has for the rectangle with label `i`; 0 if there is none. -/
def startOf (label : α → Nat) : List (α × Nat) → Nat → Nat
  | [], _ => 0
  | e :: log, i => if label e.1 = i then e.2 else startOf label log i

/-- Strict list scheduling of `l` from round 0 on, for at most `n` rounds. -/
def strictFit (M : Nat) (width height : α → Nat) (n : Nat) (l : List α) : List (α × Nat) :=
  run true M width height n 0 [] l

end OnlineKvCache.Packing
