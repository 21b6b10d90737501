module

public import OnlineKvCache.Basic.Schedules

@[expose] public section

/-! # The cost of serial schedules of a burst -/

namespace OnlineKvCache.NonClairvoyant

/-- Run the requests of a list one after the other, from round `b` on. -/
def serialFrom : Nat → List Request → Schedule
  | _, [] => fun _ => 0
  | b, q :: l => fun i => if i = q.id then b else serialFrom (b + q.output) l i

/-- Sum of the completion times of a serial schedule with those outputs. -/
noncomputable def serialCost : List Nat → Nat
  | [] => 0
  | o :: l => (l.length + 1) * o + serialCost l

theorem serialFrom_ge : ∀ {l : List Request} {b : Nat} {q : Request}, q ∈ l →
    b ≤ serialFrom b l q.id
  | a :: l, b, q, h => by
    simp only [serialFrom]
    split
    · exact Nat.le_refl _
    · next hne =>
      rcases List.mem_cons.1 h with h1 | h1
      · exact absurd (by rw [h1]) hne
      · have := serialFrom_ge (b := b + a.output) h1
        omega

theorem serialFrom_apart : ∀ {l : List Request} {b : Nat}, (l.map Request.id).Nodup →
    ∀ p ∈ l, ∀ q ∈ l, p ≠ q → completion (serialFrom b l) p ≤ start (serialFrom b l) q ∨
      completion (serialFrom b l) q ≤ start (serialFrom b l) p
  | a :: l, b, hn, p, hp, q, hq, hne => by
    rw [List.map_cons] at hn
    have hn' := List.nodup_cons.1 hn
    have hl : ∀ r ∈ l, r.id ≠ a.id := fun r hr he =>
      hn'.1 (he ▸ List.mem_map_of_mem (f := Request.id) hr)
    rcases List.mem_cons.1 hp with hp1 | hp1 <;> rcases List.mem_cons.1 hq with hq1 | hq1
    · exact absurd (hp1.trans hq1.symm) hne
    · left
      have := serialFrom_ge (b := b + a.output) hq1
      simp only [completion, start, serialFrom]
      rw [if_pos (by rw [hp1]), if_neg (hl q hq1), hp1]
      exact this
    · right
      have := serialFrom_ge (b := b + a.output) hp1
      simp only [completion, start, serialFrom]
      rw [if_pos (by rw [hq1]), if_neg (hl p hp1), hq1]
      exact this
    · have := serialFrom_apart (b := b + a.output) hn'.2 p hp1 q hq1 hne
      simp only [completion, start, serialFrom] at this ⊢
      rw [if_neg (hl p hp1), if_neg (hl q hq1)]
      exact this

theorem serialFrom_TEL : ∀ {l : List Request} {b : Nat}, (l.map Request.id).Nodup →
    (∀ q ∈ l, q.arrival = 0) →
    TEL l (serialFrom b l) = l.length * b + serialCost (l.map Request.output)
  | [], b, _, _ => by simp [TEL, serialCost]
  | a :: l, b, hn, ha => by
    rw [List.map_cons] at hn
    have hn' := List.nodup_cons.1 hn
    have ih := serialFrom_TEL (b := b + a.output) hn'.2 fun q hq =>
      ha q (List.mem_cons_of_mem _ hq)
    have h1 : (l.map (latency (serialFrom b (a :: l)))).sum =
        TEL l (serialFrom (b + a.output) l) := sum_map_congr fun q hq => by
      have hne : q.id ≠ a.id := fun he => hn'.1 (he ▸ List.mem_map_of_mem (f := Request.id) hq)
      simp only [latency, completion, start, serialFrom]
      rw [if_neg hne]
    have h2 : latency (serialFrom b (a :: l)) a = b + a.output := by
      simp only [latency, completion, start, serialFrom]
      rw [if_pos trivial, ha a (List.mem_cons_self ..), Nat.sub_zero]
    rw [TEL, List.map_cons, List.sum_cons, h1, h2, ih, List.map_cons, serialCost,
      List.length_cons, List.length_map]
    have e1 : (l.length + 1) * b = l.length * b + b := Nat.succ_mul ..
    have e2 : (l.length + 1) * a.output = l.length * a.output + a.output := Nat.succ_mul ..
    have e3 : l.length * (b + a.output) = l.length * b + l.length * a.output := Nat.mul_add ..
    omega

theorem exists_serial {M : Nat} {I : List Request} (hv : Valid M I)
    (ha : ∀ q ∈ I, q.arrival = 0) :
    ∃ S, Feasible M I S ∧ TEL I S = serialCost (I.map Request.output) := by
  refine ⟨serialFrom 0 I, feasible_of_disjoint hv (fun q hq => by
    rw [ha q hq]; exact Nat.zero_le _) (serialFrom_apart hv.nodup), ?_⟩
  rw [serialFrom_TEL hv.nodup ha, Nat.mul_zero, Nat.zero_add]

/-- The optimum is at most the cost of the serial schedule in any order. -/
theorem opt_le_serialCost {M c : Nat} {I J : List Request} (hc : IsOPT M I c) (hv : Valid M I)
    (ha : ∀ q ∈ I, q.arrival = 0) (hp : J.Perm I) : c ≤ serialCost (J.map Request.output) := by
  have hvJ : Valid M J := ⟨(hp.map Request.id).nodup_iff.2 hv.nodup,
    fun q hq => hv.prompt_pos q (hp.mem_iff.1 hq), fun q hq => hv.output_pos q (hp.mem_iff.1 hq),
    fun q hq => hv.fits q (hp.mem_iff.1 hq)⟩
  obtain ⟨S, hS, he⟩ := exists_serial hvJ fun q hq => ha q (hp.mem_iff.1 hq)
  rw [← he]
  have h1 : TEL J S = TEL I S := (hp.map (latency S)).sum_nat
  rw [h1]
  refine hc.least S ⟨fun q hq => hS.release q (hp.mem_iff.2 hq), fun t => ?_⟩
  have h2 : occupancy J S t = occupancy I S t := (hp.map fun q => memory S q t).sum_nat
  rw [← h2]
  exact hS.capacity t

theorem serialCost_concat : ∀ (l : List Nat) (o : Nat),
    serialCost (l ++ [o]) = serialCost l + l.sum + o
  | [], o => by simp [serialCost]
  | a :: l, o => by
    have ih := serialCost_concat l o
    simp only [List.cons_append, serialCost, List.length_append, List.length_cons,
      List.length_nil, List.sum_cons, ih]
    have e : (l.length + (0 + 1) + 1) * a = (l.length + 1) * a + a := Nat.succ_mul ..
    omega

/-- An order and its reverse together. -/
theorem serialCost_reverse : ∀ l : List Nat,
    serialCost l + serialCost l.reverse = (l.length + 1) * l.sum
  | [] => by simp [serialCost]
  | a :: l => by
    have ih := serialCost_reverse l
    rw [List.reverse_cons, serialCost_concat, serialCost, List.length_cons, List.sum_cons,
      List.sum_reverse_nat]
    have e1 : (l.length + 1 + 1) * (a + l.sum) =
      (l.length + 1) * a + a + (l.length + 1) * l.sum + l.sum := by grind
    omega

theorem serialCost_le : ∀ l : List Nat, serialCost l ≤ l.length * l.sum
  | [] => by simp [serialCost]
  | a :: l => by
    have ih := serialCost_le l
    rw [serialCost, List.length_cons, List.sum_cons]
    have e1 : (l.length + 1) * (a + l.sum) = (l.length + 1) * a + l.length * l.sum + l.sum := by
      grind
    omega

end OnlineKvCache.NonClairvoyant
