module

public import OnlineKvCache.NonClairvoyant.PackingFamily
public import OnlineKvCache.NonClairvoyant.GreedyBound

public section

/-! # Strict packing is slow on alternating rectangles

No two rectangles next to each other in the list fit together, and nothing overtakes, so they run
one after the other. -/

namespace OnlineKvCache.Packing

variable {α : Type} {strict : Bool} {M t : Nat} {wait : List α} {width height : α → Nat}
  {log : List (α × Nat)}

/-- The record has the latest start first. -/
structure LateInv (t : Nat) (log : List (α × Nat)) : Prop where
  /-- Starts are earlier. -/
  before : ∀ e ∈ log, e.2 < t
  /-- The latest comes first. -/
  order : log.Pairwise fun x y => y.2 ≤ x.2

theorem LateInv.record : ∀ {b : List α} {log : List (α × Nat)}, (∀ e ∈ log, e.2 ≤ t) →
    log.Pairwise (fun x y => y.2 ≤ x.2) → LateInv (t + 1) (record t b log)
  | [], log, h1, h2 => ⟨fun e he => Nat.lt_succ_of_le (h1 e he), h2⟩
  | j :: b, log, h1, h2 => LateInv.record (b := b) (log := (j, t) :: log)
      (fun e he => by
        rcases List.mem_cons.1 he with h | h
        · rw [h]; exact Nat.le_refl t
        · exact h1 e h)
      (List.pairwise_cons.2 ⟨fun e he => h1 e he, h2⟩)

theorem strictFit_late (M : Nat) (width height : α → Nat) (n : Nat) (l : List α) :
    (strictFit M width height n l).Pairwise fun x y => y.2 ≤ x.2 := by
  obtain ⟨t', wait', h, _⟩ := run_induct (strict := true) (M := M) (width := width)
    (height := height) (P := fun t log _ => LateInv t log)
    (fun t log wait _ h => LateInv.record (fun e he => Nat.le_of_lt (h.before e he)) h.order)
    n 0 [] l ⟨(fun _ h => by cases h), .nil⟩
  exact h.order

/-- Two rectangles that do not fit together, one started later, do not overlap. -/
theorem no_overlap {e f : α × Nat} (hcap : usedBy width height e.2 log ≤ M)
    (he : e ∈ log) (hf : f ∈ log) (hne : e ≠ f) (hle : f.2 ≤ e.2) (hh : 1 ≤ height e.1)
    (hw : M < width e.1 + width f.1) : f.2 + height f.1 ≤ e.2 := by
  refine Nat.le_of_not_lt fun hlt => ?_
  rw [usedBy_eq] at hcap
  have h1 := add_le_sum_map (fun x : α × Nat => if x.2 ≤ e.2 ∧ e.2 < x.2 + height x.1 then
    width x.1 else 0) he hf hne
  have h2 : (if e.2 ≤ e.2 ∧ e.2 < e.2 + height e.1 then width e.1 else 0) = width e.1 :=
    if_pos (by omega)
  have h3 : (if f.2 ≤ e.2 ∧ e.2 < f.2 + height f.1 then width f.1 else 0) = width f.1 :=
    if_pos ⟨hle, hlt⟩
  dsimp only at h1
  rw [h2, h3] at h1
  unfold usedAt at hcap
  dsimp only at hcap
  omega

theorem usedBy_le_cons (e : α × Nat) (t : Nat) (log : List (α × Nat)) :
    usedBy width height t log ≤ usedBy width height t (e :: log) := Nat.le_add_left _ _

/-- The rectangles of the family run one after the other. -/
theorem alternating_serial {M L : Nat} (hM : 1 ≤ M) (hL : 1 ≤ L) :
    ∀ (n : Nat) (log : List (Rectangle × Nat)),
      (log.map Prod.fst).reverse = alternating M L (n + 1) →
      log.Pairwise (fun x y => y.2 ≤ x.2) →
      (∀ t, usedBy Rectangle.width Rectangle.height t log ≤ M) →
      ∃ s rest, log = (⟨2 * n + 1, M, 1⟩, s) :: rest ∧ (n + 1) * (L + 1) ≤ s + 1
  | n, log, hl, hp, hcap => by
    have hl' : log.map Prod.fst =
        ⟨2 * n + 1, M, 1⟩ :: ⟨2 * n, 1, L⟩ :: (alternating M L n).reverse := by
      rw [← List.reverse_reverse (log.map Prod.fst), hl, alternating, List.reverse_append]
      rfl
    cases log with
    | nil => cases hl'
    | cons e log =>
    cases log with
    | nil => simp at hl'
    | cons f rest =>
      simp only [List.map_cons, List.cons.injEq] at hl'
      obtain ⟨he, hf, hr⟩ := hl'
      have hp1 := List.pairwise_cons.1 hp
      have hp2 := List.pairwise_cons.1 hp1.2
      have hcap2 : ∀ t, usedBy Rectangle.width Rectangle.height t (f :: rest) ≤ M := fun t =>
        Nat.le_trans (usedBy_le_cons e t _) (hcap t)
      have hcap3 : ∀ t, usedBy Rectangle.width Rectangle.height t rest ≤ M := fun t =>
        Nat.le_trans (usedBy_le_cons f t _) (hcap2 t)
      have hne : e ≠ f := fun h => by
        rw [h, hf] at he
        injection he with h1
        omega
      have h1 := no_overlap (hcap e.2) (List.mem_cons_self ..)
        (List.mem_cons_of_mem _ (List.mem_cons_self ..)) hne (hp1.1 f (List.mem_cons_self ..))
        (by rw [he]; exact Nat.le_refl 1) (by rw [he, hf]; exact Nat.lt_succ_self M)
      rw [hf] at h1
      dsimp only at h1
      refine ⟨e.2, f :: rest, by rw [← he], ?_⟩
      cases n with
      | zero => omega
      | succ n =>
        have hr' : (rest.map Prod.fst).reverse = alternating M L (n + 1) := by
          rw [hr, List.reverse_reverse]
        obtain ⟨s, rest', h2, h3⟩ := alternating_serial hM hL n rest hr' hp2.2 hcap3
        have hg : ((⟨2 * n + 1, M, 1⟩, s) : Rectangle × Nat) ∈ rest := by
          rw [h2]; exact List.mem_cons_self ..
        have hne2 : f ≠ (⟨2 * n + 1, M, 1⟩, s) := fun h => by
          rw [h] at hf
          injection hf with h4
          omega
        have h4 := no_overlap (hcap2 f.2) (List.mem_cons_self ..)
          (List.mem_cons_of_mem _ hg) hne2 (hp2.1 _ hg) (by rw [hf]; exact hL)
          (by rw [hf]; show M < 1 + M; omega)
        dsimp only at h4
        have e1 : (n + 1 + 1) * (L + 1) = (n + 1) * (L + 1) + (L + 1) := Nat.succ_mul ..
        omega

theorem alternating_mem {M L : Nat} : ∀ {n : Nat} {r : Rectangle}, r ∈ alternating M L n →
    (r.width = 1 ∧ r.height = L) ∨ (r.width = M ∧ r.height = 1)
  | 0, _, h => by cases h
  | n + 1, r, h => by
    rw [alternating, List.mem_append] at h
    rcases h with h | h
    · exact alternating_mem h
    · simp only [List.mem_cons, List.not_mem_nil, or_false] at h
      rcases h with h | h
      · rw [h]; exact Or.inl ⟨rfl, rfl⟩
      · rw [h]; exact Or.inr ⟨rfl, rfl⟩

theorem alternating_area (M L : Nat) : ∀ n : Nat,
    area (alternating M L n) Rectangle.width Rectangle.height = n * (L + M)
  | 0 => by simp [alternating, area]
  | n + 1 => by
    have ih := alternating_area M L n
    have e : (n + 1) * (L + M) = n * (L + M) + (L + M) := Nat.succ_mul ..
    unfold area at ih ⊢
    rw [alternating, List.map_append, List.sum_append_nat, ih, e]
    simp only [List.map_cons, List.map_nil, List.sum_cons, List.sum_nil]
    omega

/-- Strict packing takes `n * (L + 1)` rounds on the family. -/
theorem alternating_strict {M L n : Nat} (hM : 1 ≤ M) (hL : 1 ≤ L) {fuel : Nat}
    (hfuel : (n + 1) * (L + M) < fuel) :
    ∃ e ∈ strictFit M Rectangle.width Rectangle.height fuel (alternating M L (n + 1)),
      (n + 1) * (L + 1) ≤ e.2 + e.1.height := by
  obtain ⟨h1, _, h2⟩ := strictFit_spec (M := M) (l := alternating M L (n + 1))
    (width := Rectangle.width) (height := Rectangle.height) (n := fuel) (Nat.le_refl M)
    (fun r hr => by rcases alternating_mem hr with h | h <;> omega)
    (by rw [alternating_area]; exact hfuel)
  have h3 := strictFit_late M Rectangle.width Rectangle.height fuel (alternating M L (n + 1))
  generalize strictFit M Rectangle.width Rectangle.height fuel (alternating M L (n + 1)) = log
    at h1 h2 h3
  obtain ⟨s, rest, h4, h5⟩ := alternating_serial hM hL n log h1 h3 h2
  exact ⟨_, by rw [h4]; exact List.mem_cons_self .., h5⟩

end OnlineKvCache.Packing
