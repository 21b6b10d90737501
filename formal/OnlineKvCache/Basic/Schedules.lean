module

public import OnlineKvCache.Online.ByRequest
public import OnlineKvCache.Basic.Sums

public section

/-! # Facts about instances, memory and optima -/

namespace OnlineKvCache

theorem Valid.nodup_list {M : Nat} {I : List Request} (h : Valid M I) : I.Nodup :=
  List.Pairwise.of_map Request.id (fun _ _ hne he => hne (congrArg Request.id he)) h.nodup

theorem eq_of_id_eq : ∀ {I : List Request}, (I.map Request.id).Nodup →
    ∀ {p q : Request}, p ∈ I → q ∈ I → p.id = q.id → p = q
  | a :: l, hn, p, q, hp, hq, he => by
    rw [List.map_cons] at hn
    have hn' := List.nodup_cons.1 hn
    rcases List.mem_cons.1 hp with hp1 | hp1 <;> rcases List.mem_cons.1 hq with hq1 | hq1
    · exact hp1.trans hq1.symm
    · exact absurd (List.mem_map_of_mem (f := Request.id) hq1) (by rw [← he, hp1]; exact hn'.1)
    · exact absurd (List.mem_map_of_mem (f := Request.id) hp1) (by rw [he, hq1]; exact hn'.1)
    · exact eq_of_id_eq hn'.2 hp1 hq1 he

theorem Valid.inj {M : Nat} {I : List Request} (h : Valid M I) {p q : Request} (hp : p ∈ I)
    (hq : q ∈ I) (he : p.id = q.id) : p = q := eq_of_id_eq h.nodup hp hq he

theorem Valid.find {M : Nat} {I : List Request} (h : Valid M I) {q : Request} (hq : q ∈ I) :
    I.find? (fun p => decide (p.id = q.id)) = some q := by
  cases hf : I.find? (fun p => decide (p.id = q.id)) with
  | none => exact absurd (List.find?_eq_none.1 hf q hq) (by simp)
  | some p =>
    have h1 := List.find?_some hf
    have h2 := List.mem_of_find?_eq_some hf
    rw [h.inj h2 hq (by simpa using h1)]

theorem byRequest_eq {M : Nat} {I : List Request} (h : Valid M I) {q : Request} (hq : q ∈ I)
    (f : List Request → Request → Nat) : byRequest f I q.id = some (f I q) := by
  simp [byRequest, h.find hq]

theorem scheduleOf_eq {A : Scheduler} {I : List Request} {i b : Nat} (h : A I i = some b) :
    scheduleOf A I i = b := by
  simp [scheduleOf, h]

/-- A scheduler given by a start for each request is causal when that start depends only on what is
revealed at the arrival of the request. -/
theorem byRequest_causal {M : Nat} {f : List Request → Request → Nat}
    (h : ∀ I J t, Valid M I → Valid M J → SameRevealed I J t → ∀ q, Revealed I t q →
      f I q = f J q) : Causal M (byRequest f) := by
  intro I J t hI hJ hs q hq
  rw [StartedBy, StartedBy, byRequest_eq hI hq.1, byRequest_eq hJ ((hs q).1 hq).1,
    h I J t hI hJ hs q hq]

theorem perm_of_nodup {α : Type} [DecidableEq α] {l m : List α} (hl : l.Nodup) (hm : m.Nodup)
    (h : ∀ q, q ∈ l ↔ q ∈ m) : l.Perm m :=
  List.perm_iff_count.2 fun q => by rw [hl.count, hm.count]; simp only [h]

/-! ### Memory -/

theorem memory_le (S : Schedule) (q : Request) (t : Nat) : memory S q t ≤ q.peak := by
  unfold memory Active completion Request.peak
  split <;> omega

theorem memory_of_active {S : Schedule} {q : Request} {t : Nat} (h : Active S q t) :
    memory S q t = q.prompt + (t - start S q) + 1 := if_pos h

theorem memory_of_not {S : Schedule} {q : Request} {t : Nat} (h : ¬ Active S q t) :
    memory S q t = 0 := if_neg h

theorem memory_le_occupancy {I : List Request} (S : Schedule) {q : Request} (hq : q ∈ I)
    (t : Nat) : memory S q t ≤ occupancy I S t := le_sum_map (fun q => memory S q t) hq

theorem memory_add_le_occupancy {I : List Request} (S : Schedule) {p q : Request} (hp : p ∈ I)
    (hq : q ∈ I) (hne : p ≠ q) (t : Nat) : memory S p t + memory S q t ≤ occupancy I S t :=
  add_le_sum_map (fun q => memory S q t) hp hq hne

/-- A schedule in which nothing overlaps is feasible. -/
theorem feasible_of_disjoint {M : Nat} {I : List Request} {S : Schedule} (hv : Valid M I)
    (hr : ∀ q ∈ I, q.arrival ≤ start S q)
    (hd : ∀ p ∈ I, ∀ q ∈ I, p ≠ q →
      completion S p ≤ start S q ∨ completion S q ≤ start S p) : Feasible M I S where
  release := hr
  capacity t := by
    refine sum_map_le_of_disjoint hv.nodup_list
      (fun q hq => Nat.le_trans (memory_le _ _ _) (hv.fits q hq)) fun p hp q hq hne => ?_
    have := hd p hp q hq hne
    unfold memory Active
    split <;> split <;> omega

/-- Two requests that are active in the same round of a feasible schedule share the memory. -/
theorem Feasible.pair {M : Nat} {I : List Request} {S : Schedule} (h : Feasible M I S)
    {p q : Request} (hp : p ∈ I) (hq : q ∈ I) (hne : p ≠ q) {t : Nat} (h1 : Active S p t)
    (h2 : Active S q t) :
    p.prompt + (t - start S p) + 1 + (q.prompt + (t - start S q) + 1) ≤ M := by
  rw [← memory_of_active h1, ← memory_of_active h2]
  exact Nat.le_trans (memory_add_le_occupancy S hp hq hne t) (h.capacity t)

theorem output_le_latency {M : Nat} {I : List Request} {S : Schedule} (hS : Feasible M I S)
    {q : Request} (hq : q ∈ I) : q.output ≤ latency S q := by
  have := hS.release q hq
  unfold latency completion
  omega

theorem output_le_TEL {M : Nat} {I : List Request} {S : Schedule} (hS : Feasible M I S) :
    (I.map Request.output).sum ≤ TEL I S :=
  sum_map_le_sum_map fun _ hq => output_le_latency hS hq

/-! ### The optimum -/

theorem exists_min {p : Nat → Prop} (h : ∃ n, p n) : ∃ n, p n ∧ ∀ m, p m → n ≤ m := by
  obtain ⟨n, hn⟩ := h
  induction n using Nat.strongRecOn with
  | ind n ih =>
    by_cases h : ∃ m, m < n ∧ p m
    · obtain ⟨m, hm, hm0⟩ := h; exact ih m hm hm0
    · exact ⟨n, hn, fun m hm => Nat.le_of_not_lt fun hlt => h ⟨m, hlt, hm⟩⟩

theorem IsOPT.of_feasible {M : Nat} {I : List Request} {S : Schedule} (h : Feasible M I S) :
    ∃ c, IsOPT M I c := by
  obtain ⟨c, ⟨T, hT, hc⟩, hmin⟩ := exists_min (p := fun c => ∃ S, Feasible M I S ∧ TEL I S = c)
    ⟨_, S, h, rfl⟩
  exact ⟨c, ⟨T, hT, hc⟩, fun S' hS' => hmin _ ⟨S', hS', rfl⟩⟩

theorem IsOPT.pos {M : Nat} {I : List Request} {c : Nat} (hc : IsOPT M I c) (h : Valid M I)
    (hn : I ≠ []) : 0 < c := by
  obtain ⟨⟨S, hS, rfl⟩, _⟩ := hc
  cases I with
  | nil => exact absurd rfl hn
  | cons q l =>
    have h1 := h.output_pos q (List.mem_cons_self ..)
    have h2 := le_sum_map Request.output (List.mem_cons_self (a := q) (l := l))
    have h3 := output_le_TEL hS
    omega

end OnlineKvCache
