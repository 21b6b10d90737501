module

public import OnlineKvCache.Basic.Schedules
public import OnlineKvCache.TightRatio.Serial
public import OnlineKvCache.Online.Factor

public section

/-! # The serial rule is `n`-competitive -/

namespace OnlineKvCache

theorem before_iff {p q : Request} :
    before p q = true ↔ p.arrival < q.arrival ∨ (p.arrival = q.arrival ∧ p.id < q.id) := by
  simp [before]

theorem serialStart_congr {M t : Nat} {I J : List Request} (hI : Valid M I) (hJ : Valid M J)
    (h : SameRevealed I J t) {q : Request} (hq : q.arrival ≤ t) :
    serialStart I q = serialStart J q := by
  unfold serialStart
  rw [sum_map_ite (fun p => before p q), sum_map_ite (fun p => before p q)]
  congr 1
  refine ((perm_of_nodup (hI.nodup_list.sublist List.filter_sublist)
    (hJ.nodup_list.sublist List.filter_sublist) fun p => ?_).map _).sum_nat
  rw [List.mem_filter, List.mem_filter]
  constructor
  · rintro ⟨hp, hb⟩
    have := before_iff.1 hb
    exact ⟨((h p).1 ⟨hp, by omega⟩).1, hb⟩
  · rintro ⟨hp, hb⟩
    have := before_iff.1 hb
    exact ⟨((h p).2 ⟨hp, by omega⟩).1, hb⟩

theorem serial_causal (M : Nat) : Causal M serial :=
  byRequest_causal fun _ _ _ hI hJ h _ hq => serialStart_congr hI hJ h hq.2

theorem serialStart_add_le {I : List Request} {p q : Request} (hp : p ∈ I)
    (h : before p q = true) : serialStart I p + p.output ≤ serialStart I q := by
  have hpq := before_iff.1 h
  have := sum_map_add_le (l := I) (p := p) (c := p.output)
    (f := fun r => if before r p then r.output else 0)
    (g := fun r => if before r q then r.output else 0)
    (fun r _ => by
      by_cases hr : before r p = true
      · have hrq : before r q = true := by
          have := before_iff.1 hr
          exact before_iff.2 (by omega)
        simp [hr, hrq]
      · simp [hr])
    hp (by
      have hpp : ¬ before p p = true := fun hc => by have := before_iff.1 hc; omega
      simp [hpp, h])
  unfold serialStart
  omega

theorem serial_start {M : Nat} {I : List Request} (hv : Valid M I) {q : Request} (hq : q ∈ I) :
    start (scheduleOf serial I) q = serialStart I q := scheduleOf_eq (byRequest_eq hv hq _)

theorem serial_feasible {M : Nat} {I : List Request} (hv : Valid M I) :
    Feasible M I (scheduleOf serial I) := by
  refine feasible_of_disjoint hv (fun q hq => ?_) fun p hp q hq hne => ?_
  · rw [serial_start hv hq]; exact Nat.le_add_right _ _
  · have hid : p.id ≠ q.id := fun he => hne (hv.inj hp hq he)
    rw [completion, completion, serial_start hv hp, serial_start hv hq]
    by_cases h : before p q = true
    · exact Or.inl (serialStart_add_le hp h)
    · refine Or.inr (serialStart_add_le hq (before_iff.2 ?_))
      rw [before_iff] at h
      omega

theorem serial_serves {M : Nat} {I : List Request} (hv : Valid M I) :
    Serves M serial I (scheduleOf serial I) where
  feasible := serial_feasible hv
  starts q hq := by rw [serial_start hv hq]; exact byRequest_eq hv hq _

theorem serial_TEL_le {M : Nat} {I : List Request} (hv : Valid M I) :
    TEL I (scheduleOf serial I) ≤ I.length * (I.map Request.output).sum := by
  refine sum_map_le_mul fun q hq => ?_
  have := sum_map_add_le (l := I) (p := q) (c := q.output)
    (f := fun r => if before r q then r.output else 0) (g := Request.output)
    (fun r _ => by by_cases hr : before r q = true <;> simp [hr]) hq
    (by
      have hqq : ¬ before q q = true := fun hc => by have := before_iff.1 hc; omega
      simp [hqq])
  rw [latency, completion, serial_start hv hq]
  unfold serialStart
  omega

/-- The serial schedule costs at most `n` times any feasible schedule. -/
theorem serial_upper {M : Nat} {I : List Request} {S : Schedule} (hv : Valid M I)
    (hS : Feasible M I S) : TEL I (scheduleOf serial I) ≤ I.length * TEL I S :=
  Nat.le_trans (serial_TEL_le hv) (Nat.mul_le_mul_left _ (output_le_TEL hS))

/-- The serial rule, with its hypotheses. -/
theorem serial_bound : ∃ A : Scheduler, ∀ M, Causal M A ∧
    ∀ I, Valid M I → ∃ S, Serves M A I S ∧ ∀ c, IsOPT M I c → TEL I S ≤ I.length * c :=
  ⟨serial, fun M => ⟨serial_causal M, fun I hv => ⟨scheduleOf serial I, serial_serves hv, by
    intro c hc
    obtain ⟨T, hT, rfl⟩ := hc.attained
    exact serial_upper hv hT⟩⟩⟩

/-- Every valid instance has an optimum. -/
theorem exists_OPT {M : Nat} {I : List Request} (h : Valid M I) : ∃ c, IsOPT M I c :=
  IsOPT.of_feasible (serial_feasible h)

/-- A lower bound against one feasible schedule is a lower bound against the optimum. -/
theorem factorAtLeast_of_feasible {M n : Nat} {A : Scheduler} {p q : Nat} {I : List Request}
    {T : Schedule} (hv : Valid M I) (hn : I.length = n) (hpos : 0 < n) (hT : Feasible M I T)
    (h : ∀ S, Serves M A I S → p * TEL I T ≤ q * TEL I S) : FactorAtLeast M n A p q := by
  obtain ⟨c, hc⟩ := exists_OPT hv
  refine ⟨I, c, hv, hn, hc, hc.pos hv (fun h0 => ?_), fun S hS =>
    Nat.le_trans (Nat.mul_le_mul_left _ (hc.least T hT)) (h S hS)⟩
  subst h0
  simp at hn
  omega

end OnlineKvCache
