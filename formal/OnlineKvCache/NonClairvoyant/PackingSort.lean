module

@[expose] public section

/-! # Sorting by insertion

Structurally recursive, so that the kernel can evaluate it. -/

namespace OnlineKvCache.Packing

variable {α : Type}

/-- Insert `a` before the first member that it goes before. -/
def insertBy (le : α → α → Bool) (a : α) : List α → List α
  | [] => [a]
  | b :: l => if le a b then a :: b :: l else b :: insertBy le a l

/-- Sort by insertion. -/
def sortBy (le : α → α → Bool) : List α → List α
  | [] => []
  | a :: l => insertBy le a (sortBy le l)

/-- The order by `key`, ties by label. -/
def keyOrder (key label : α → Nat) (a b : α) : Bool :=
  decide (key a < key b) || (decide (key a = key b) && decide (label a ≤ label b))

theorem insertBy_perm (le : α → α → Bool) (a : α) : ∀ l, (insertBy le a l).Perm (a :: l)
  | [] => .refl _
  | b :: l => by
    unfold insertBy
    split
    · exact .refl _
    · exact ((insertBy_perm le a l).cons b).trans (.swap a b l)

theorem sortBy_perm (le : α → α → Bool) : ∀ l, (sortBy le l).Perm l
  | [] => .refl _
  | a :: l => (insertBy_perm le a _).trans ((sortBy_perm le l).cons a)

theorem keyOrder_true {key label : α → Nat} {a b : α} (h : keyOrder key label a b = true) :
    key a ≤ key b := by
  unfold keyOrder at h
  simp only [Bool.or_eq_true, Bool.and_eq_true, decide_eq_true_eq] at h
  omega

theorem keyOrder_false {key label : α → Nat} {a b : α} (h : keyOrder key label a b ≠ true) :
    key b ≤ key a := by
  unfold keyOrder at h
  simp only [ne_eq, Bool.or_eq_true, Bool.and_eq_true, decide_eq_true_eq, not_or] at h
  omega

theorem insertBy_sorted (key label : α → Nat) (a : α) : ∀ {l : List α},
    l.Pairwise (fun x y => key x ≤ key y) →
    (insertBy (keyOrder key label) a l).Pairwise (fun x y => key x ≤ key y)
  | [], _ => by simp [insertBy]
  | b :: l, h => by
    have h' := List.pairwise_cons.1 h
    unfold insertBy
    split
    · rename_i hab
      have hab := keyOrder_true hab
      refine List.pairwise_cons.2 ⟨fun x hx => ?_, h⟩
      rcases List.mem_cons.1 hx with h1 | h1
      · rw [h1]; exact hab
      · exact Nat.le_trans hab (h'.1 x h1)
    · rename_i hab
      have hab := keyOrder_false hab
      refine List.pairwise_cons.2 ⟨fun x hx => ?_, insertBy_sorted key label a h'.2⟩
      rcases List.mem_cons.1 ((insertBy_perm _ a l).mem_iff.1 hx) with h1 | h1
      · rw [h1]; exact hab
      · exact h'.1 x h1

theorem sortBy_sorted (key label : α → Nat) : ∀ l : List α,
    (sortBy (keyOrder key label) l).Pairwise (fun x y => key x ≤ key y)
  | [] => .nil
  | a :: l => insertBy_sorted key label a (sortBy_sorted key label l)

end OnlineKvCache.Packing
