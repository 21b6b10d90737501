module

public section

/-! # Sums over lists of natural numbers -/

namespace OnlineKvCache

variable {α : Type}

theorem le_sum_map (f : α → Nat) : ∀ {l : List α} {q : α}, q ∈ l → f q ≤ (l.map f).sum
  | a :: l, q, h => by
    rw [List.map_cons, List.sum_cons]
    rcases List.mem_cons.1 h with rfl | h
    · omega
    · have := le_sum_map f h; omega

theorem add_le_sum_map (f : α → Nat) :
    ∀ {l : List α} {p q : α}, p ∈ l → q ∈ l → p ≠ q → f p + f q ≤ (l.map f).sum
  | a :: l, p, q, hp, hq, hne => by
    rw [List.map_cons, List.sum_cons]
    rcases List.mem_cons.1 hp with hp1 | hp1 <;> rcases List.mem_cons.1 hq with hq1 | hq1
    · exact absurd (hp1.trans hq1.symm) hne
    · have := le_sum_map f hq1; rw [hp1]; omega
    · have := le_sum_map f hp1; rw [hq1]; omega
    · have := add_le_sum_map f hp1 hq1 hne; omega

theorem sum_map_le_sum_map {f g : α → Nat} :
    ∀ {l : List α}, (∀ q ∈ l, f q ≤ g q) → (l.map f).sum ≤ (l.map g).sum
  | [], _ => Nat.le_refl _
  | a :: l, h => by
    rw [List.map_cons, List.sum_cons, List.map_cons, List.sum_cons]
    have h1 := h a (List.mem_cons_self ..)
    have h2 := sum_map_le_sum_map (l := l) fun q hq => h q (List.mem_cons_of_mem _ hq)
    omega

theorem sum_map_add_le {f g : α → Nat} {c : Nat} :
    ∀ {l : List α} {p : α}, (∀ q ∈ l, f q ≤ g q) → p ∈ l → f p + c ≤ g p →
      (l.map f).sum + c ≤ (l.map g).sum
  | a :: l, p, h, hp, hc => by
    rw [List.map_cons, List.sum_cons, List.map_cons, List.sum_cons]
    have h' : ∀ q ∈ l, f q ≤ g q := fun q hq => h q (List.mem_cons_of_mem _ hq)
    have h1 := h a (List.mem_cons_self ..)
    rcases List.mem_cons.1 hp with rfl | hp
    · have := sum_map_le_sum_map h'; omega
    · have := sum_map_add_le h' hp hc; omega

theorem sum_map_le_mul {f : α → Nat} {c : Nat} :
    ∀ {l : List α}, (∀ q ∈ l, f q ≤ c) → (l.map f).sum ≤ l.length * c
  | [], _ => by simp
  | a :: l, h => by
    rw [List.map_cons, List.sum_cons, List.length_cons, Nat.succ_mul]
    have h1 := h a (List.mem_cons_self ..)
    have h2 := sum_map_le_mul (l := l) fun q hq => h q (List.mem_cons_of_mem _ hq)
    omega

theorem sum_map_eq_zero {f : α → Nat} :
    ∀ {l : List α}, (∀ q ∈ l, f q = 0) → (l.map f).sum = 0
  | [], _ => rfl
  | a :: l, h => by
    rw [List.map_cons, List.sum_cons, h a (List.mem_cons_self ..),
      sum_map_eq_zero fun q hq => h q (List.mem_cons_of_mem _ hq)]

/-- At most one nonzero term, each at most `c`. -/
theorem sum_map_le_of_disjoint {f : α → Nat} {c : Nat} :
    ∀ {l : List α}, l.Nodup → (∀ q ∈ l, f q ≤ c) →
      (∀ p ∈ l, ∀ q ∈ l, p ≠ q → f p = 0 ∨ f q = 0) → (l.map f).sum ≤ c
  | [], _, _, _ => Nat.zero_le _
  | a :: l, hn, h, hd => by
    rw [List.map_cons, List.sum_cons]
    have hn' := List.nodup_cons.1 hn
    have h1 := h a (List.mem_cons_self ..)
    have h2 := sum_map_le_of_disjoint hn'.2 (fun q hq => h q (List.mem_cons_of_mem _ hq))
      (fun p hp q hq => hd p (List.mem_cons_of_mem _ hp) q (List.mem_cons_of_mem _ hq))
    by_cases h0 : f a = 0
    · omega
    · have h3 := sum_map_eq_zero (f := f) (l := l) fun q hq => by
        have hne : a ≠ q := fun he => hn'.1 (he ▸ hq)
        have := hd a (List.mem_cons_self ..) q (List.mem_cons_of_mem _ hq) hne
        omega
      omega

/-- A sum of conditional terms is a sum over the filtered list. -/
theorem sum_map_ite (p : α → Bool) (f : α → Nat) :
    ∀ l : List α, (l.map fun r => if p r then f r else 0).sum = ((l.filter p).map f).sum
  | [] => rfl
  | a :: l => by
    have ih := sum_map_ite p f l
    by_cases h : p a <;> simp [h, ih]

/-- Sum of a strictly increasing list. -/
theorem sum_of_strict : ∀ (l : List Nat) (c : Nat), l.Pairwise (· < ·) → (∀ x ∈ l, c ≤ x) →
    2 * (l.length * c) + l.length * l.length ≤ 2 * l.sum + l.length
  | [], _, _, _ => by simp
  | a :: l, c, hp, hc => by
    have hp' := List.pairwise_cons.1 hp
    have ha := hc a (List.mem_cons_self ..)
    have ih := sum_of_strict l (c + 1) hp'.2 fun x hx => by have := hp'.1 x hx; omega
    simp only [List.length_cons, List.sum_cons, Nat.mul_add, Nat.add_mul] at ih ⊢
    omega

/-- Sum of a list of distinct numbers, each at least `c`. -/
theorem sum_of_nodup (l : List Nat) (c : Nat) (hn : l.Nodup) (hc : ∀ x ∈ l, c ≤ x) :
    2 * (l.length * c) + l.length * l.length ≤ 2 * l.sum + l.length := by
  have hperm := List.mergeSort_perm l (fun a b => decide (a ≤ b))
  have hsort := List.pairwise_mergeSort (le := fun a b : Nat => decide (a ≤ b))
    (by intro a b c; simp; omega) (by intro a b; simp; omega) l
  have hn' := hperm.nodup_iff.2 hn
  have hlt : (l.mergeSort fun a b => decide (a ≤ b)).Pairwise (· < ·) :=
    (hsort.and hn').imp (by intro a b h; simp at h; omega)
  have := sum_of_strict _ c hlt fun x hx => hc x (hperm.mem_iff.1 hx)
  rwa [hperm.length_eq, hperm.sum_nat] at this

theorem two_sum_range_succ : ∀ k : Nat, 2 * ((List.range k).map fun i => i + 1).sum = k * (k + 1)
  | 0 => rfl
  | k + 1 => by
    have ih := two_sum_range_succ k
    simp only [List.range_succ, List.map_append, List.map_cons, List.map_nil,
      List.sum_append_nat, List.sum_cons, List.sum_nil, Nat.mul_add, Nat.add_mul] at ih ⊢
    omega

/-! ### Linear combinations, pairs, exchange of summation -/

theorem sum_map_add (f g : α → Nat) :
    ∀ l : List α, (l.map fun q => f q + g q).sum = (l.map f).sum + (l.map g).sum
  | [] => rfl
  | a :: l => by
    have := sum_map_add f g l
    simp only [List.map_cons, List.sum_cons] at this ⊢
    omega

theorem sum_map_mul (c : Nat) (f : α → Nat) :
    ∀ l : List α, (l.map fun q => c * f q).sum = c * (l.map f).sum
  | [] => rfl
  | a :: l => by
    have := sum_map_mul c f l
    simp only [List.map_cons, List.sum_cons, Nat.mul_add] at this ⊢
    omega

theorem sum_map_const (c : Nat) : ∀ l : List α, (l.map fun _ => c).sum = l.length * c
  | [] => by simp
  | a :: l => by
    have := sum_map_const c l
    simp only [List.map_cons, List.sum_cons, List.length_cons, Nat.succ_mul] at this ⊢
    omega

theorem sum_map_congr {f g : α → Nat} {l : List α} (h : ∀ q ∈ l, f q = g q) :
    (l.map f).sum = (l.map g).sum := by
  rw [List.map_congr_left h]

/-- Exchange of two sums. -/
theorem sum_map_comm {β : Type} (f : α → β → Nat) (m : List β) :
    ∀ l : List α, (l.map fun a => (m.map fun b => f a b).sum).sum =
      (m.map fun b => (l.map fun a => f a b).sum).sum
  | [] => by simp [sum_map_const]
  | a :: l => by
    have ih := sum_map_comm f m l
    simp only [List.map_cons, List.sum_cons, ih, sum_map_add]

/-- A sum over the two parts of a list. -/
theorem sum_map_split (p : α → Bool) (f : α → Nat) : ∀ l : List α,
    (l.map f).sum = ((l.filter p).map f).sum + ((l.filter fun a => !p a).map f).sum
  | [] => rfl
  | a :: l => by
    have ih := sum_map_split p f l
    cases h : p a <;> simp [h] at ih ⊢ <;> omega

/-- A sum without one element. -/
theorem sum_map_erase [DecidableEq α] (f : α → Nat) {l : List α} {a : α} (h : a ∈ l) :
    (l.map f).sum = f a + ((l.erase a).map f).sum := by
  rw [((List.perm_cons_erase h).map f).sum_nat, List.map_cons, List.sum_cons]

end OnlineKvCache
