module

public import OnlineKvCache.Svf.Engine
public import OnlineKvCache.Svf.Run

@[expose] public section

/-! # The engine is list scheduling -/

namespace OnlineKvCache

theorem loadAt_eq (r : Nat) : ∀ P : List (Request × Nat), loadAt P (r + 1) = placedMemory P r
  | [] => rfl
  | x :: P => by
    rw [loadAt, placedMemory, loadAt_eq r P]
    congr 1
    split <;> split <;> omega

/-- The first completion after round `r`, or `b` if that is earlier. -/
def nextEnd (r b : Nat) : List (Request × Nat) → Nat
  | [] => b
  | x :: P => if r < x.2 + x.1.output then min (x.2 + x.1.output) (nextEnd r b P)
      else nextEnd r b P

theorem nextEnd_spec (r b : Nat) (hb : r < b) : ∀ P : List (Request × Nat),
    r < nextEnd r b P ∧ nextEnd r b P ≤ b ∧
      (∀ x ∈ P, r < x.2 + x.1.output → nextEnd r b P ≤ x.2 + x.1.output) ∧
      (nextEnd r b P = b ∨ ∃ x ∈ P, nextEnd r b P = x.2 + x.1.output)
  | [] => ⟨hb, Nat.le_refl _, fun _ h => (by cases h), Or.inl rfl⟩
  | x :: P => by
    obtain ⟨h1, h2, h3, h4⟩ := nextEnd_spec r b hb P
    rw [nextEnd]
    by_cases h : r < x.2 + x.1.output
    · rw [if_pos h]
      refine ⟨by omega, by omega, fun y hy hr => ?_, ?_⟩
      · rcases List.mem_cons.1 hy with hy1 | hy1
        · rw [hy1]; exact Nat.min_le_left ..
        · exact Nat.le_trans (Nat.min_le_right ..) (h3 y hy1 hr)
      · rcases Nat.le_total (x.2 + x.1.output) (nextEnd r b P) with h5 | h5
        · rw [Nat.min_eq_left h5]; exact Or.inr ⟨x, List.mem_cons_self .., rfl⟩
        · rw [Nat.min_eq_right h5]
          exact h4.imp id fun ⟨y, hy, he⟩ => ⟨y, List.mem_cons_of_mem _ hy, he⟩
    · rw [if_neg h]
      refine ⟨h1, h2, fun y hy hr => ?_, h4.imp id fun ⟨y, hy, he⟩ =>
        ⟨y, List.mem_cons_of_mem _ hy, he⟩⟩
      rcases List.mem_cons.1 hy with hy1 | hy1
      · rw [hy1] at hr; exact absurd hr h
      · exact h3 y hy1 hr

/-- Up to the next completion the memory of what has started grows. -/
theorem placedMemory_le_later {t r e : Nat} (ht : t ≤ r) (he : r < e) :
    ∀ {P : List (Request × Nat)}, (∀ x ∈ P, x.2 ≤ t) →
    (∀ x ∈ P, r < x.2 + x.1.output → e ≤ x.2 + x.1.output) →
    placedMemory P r ≤ placedMemory P (e - 1)
  | [], _, _ => Nat.le_refl _
  | x :: P, h1, h2 => by
    have ih := placedMemory_le_later ht he (fun y hy => h1 y (List.mem_cons_of_mem _ hy))
      fun y hy => h2 y (List.mem_cons_of_mem _ hy)
    have h3 := h1 x (List.mem_cons_self ..)
    have h4 := h2 x (List.mem_cons_self ..)
    rw [placedMemory, placedMemory]
    refine Nat.add_le_add ?_ ih
    split <;> split <;> omega

theorem fitsAtEnds_iff {M t : Nat} {P : List (Request × Nat)} {q : Request} :
    ∀ {Q : List (Request × Nat)}, fitsAtEnds M P q t Q = true ↔ ∀ x ∈ Q,
      t < x.2 + x.1.output → x.2 + x.1.output ≤ t + q.output →
      q.prompt + (x.2 + x.1.output - t) + loadAt P (x.2 + x.1.output) ≤ M
  | [] => by simp [fitsAtEnds]
  | x :: Q => by
    rw [fitsAtEnds, Bool.and_eq_true, fitsAtEnds_iff]
    simp only [List.mem_cons, forall_eq_or_imp, Bool.or_eq_true, Bool.not_eq_true',
      Bool.and_eq_false_imp, decide_eq_true_eq, decide_eq_false_iff_not]
    refine and_congr ⟨fun h h1 h2 => ?_, fun h => ?_⟩ Iff.rfl
    · exact h.resolve_left fun h3 => h3 h1 h2
    · by_cases h1 : t < x.2 + x.1.output
      · by_cases h2 : x.2 + x.1.output ≤ t + q.output
        · exact Or.inr (h h1 h2)
        · exact Or.inl fun _ => h2
      · exact Or.inl fun h3 => absurd h3 h1

/-- The test at the completions is the test in all rounds. -/
theorem admits_iff {M t : Nat} {P : List (Request × Nat)} {q : Request} (ho : 1 ≤ q.output)
    (hP : ∀ x ∈ P, x.2 ≤ t) : admits M P q t = true ↔ Fits M P q t := by
  rw [admits, Bool.and_eq_true, fitsAtEnds_iff, decide_eq_true_eq]
  constructor
  · rintro ⟨h1, h2⟩ u hu
    obtain ⟨h3, h4, h5, h6⟩ := nextEnd_spec (t + u) (t + q.output) (by omega) P
    have h7 := placedMemory_le_later (Nat.le_add_right t u) h3 hP h5
    rw [← loadAt_eq (nextEnd (t + u) (t + q.output) P - 1), Nat.sub_add_cancel (by omega)] at h7
    rcases h6 with h6 | ⟨x, hx, h6⟩
    · rw [h6] at h3 h7
      omega
    · rw [h6] at h3 h4 h7
      have := h1 x hx (by omega) h4
      omega
  · intro h
    refine ⟨fun x _ h1 h2 => ?_, ?_⟩
    · have h3 := h (x.2 + x.1.output - 1 - t) (by omega)
      rw [← loadAt_eq, show t + (x.2 + x.1.output - 1 - t) + 1 = x.2 + x.1.output by omega] at h3
      omega
    · have h3 := h (q.output - 1) (by omega)
      rw [← loadAt_eq, show t + (q.output - 1) + 1 = t + q.output by omega] at h3
      omega

/-- The state of the engine at the instant `t`: what is placed is a run, and the head of the queue
has not fitted since the last start. -/
structure EngineState (M t : Nat) (P : List (Request × Nat)) (l : List Request) : Prop where
  /-- The placed requests form a run. -/
  run : ListRun M P
  /-- All of them have started. -/
  started : lastStart P ≤ t
  /-- The head has not fitted. -/
  waits : ∀ q ∈ l.head?, ∀ r, lastStart P ≤ r → r < t → ¬ Fits M P q r

theorem admitHeads_state {M t : Nat} : ∀ {l : List Request} {P : List (Request × Nat)} (E : Nat),
    EngineState M t P l → (∀ q ∈ l, 1 ≤ q.output ∧ q.peak ≤ M) →
    max t (placedEnd P) + (l.map Request.output).sum < E →
    EngineState M (t + 1) (admitHeads M t P l).1 (admitHeads M t P l).2 ∧
    (∀ q ∈ (admitHeads M t P l).2, q ∈ l) ∧
    (admitHeads M t P l).2.reverse ++ (admitHeads M t P l).1.map Prod.fst =
      l.reverse ++ P.map Prod.fst ∧
    ((admitHeads M t P l).2 = [] ∨ max (t + 1) (placedEnd (admitHeads M t P l).1) +
      ((admitHeads M t P l).2.map Request.output).sum < E)
  | [], P, E, h, _, _ => by
    refine ⟨⟨h.run, Nat.le_succ_of_le h.started, fun q hq => (by cases hq)⟩, fun q hq => hq, rfl,
      Or.inl rfl⟩
  | q :: l, P, E, h, hl, hE => by
    have hq := hl q (List.mem_cons_self ..)
    have hl' : ∀ r ∈ l, 1 ≤ r.output ∧ r.peak ≤ M := fun r hr => hl r (List.mem_cons_of_mem _ hr)
    have hP : ∀ x ∈ P, x.2 ≤ t := fun x hx =>
      Nat.le_trans ((lastStart_placed h.run).1 x hx) h.started
    have hadm := admits_iff (M := M) hq.1 hP
    rw [List.map_cons, List.sum_cons] at hE
    rw [admitHeads]
    by_cases ha : admits M P q t = true
    · rw [if_pos ha]
      have hs : EngineState M t ((q, t) :: P) l :=
        ⟨⟨h.run, h.started, hadm.1 ha, h.waits q rfl⟩, Nat.le_refl t,
          fun r _ u h1 h2 => absurd h2 (Nat.not_lt_of_le h1)⟩
      obtain ⟨h1, h2, h3, h4⟩ := admitHeads_state E hs hl' (by
        rw [placedEnd]
        show max t (max (t + q.output) (placedEnd P)) + _ < E
        omega)
      refine ⟨h1, fun r hr => List.mem_cons_of_mem _ (h2 r hr), ?_, h4⟩
      rw [h3, List.reverse_cons, List.map_cons, List.append_assoc]
      rfl
    · rw [if_neg ha]
      have hnf : ¬ Fits M P q t := fun hf => ha (hadm.2 hf)
      refine ⟨⟨h.run, Nat.le_succ_of_le h.started, fun r hr u h1 h2 => ?_⟩, fun r hr => hr, rfl,
        Or.inr ?_⟩
      · obtain rfl : q = r := by simpa using hr
        rcases Nat.lt_or_ge u t with h3 | h3
        · exact h.waits q rfl u h1 h3
        · obtain rfl : u = t := by omega
          exact hnf
      · rcases Nat.lt_or_ge t (placedEnd P) with h3 | h3
        · change max (t + 1) (placedEnd P) + ((q :: l).map Request.output).sum < E
          rw [List.map_cons, List.sum_cons]
          omega
        · exact absurd (fits_end hq.2 h3) hnf

theorem engine_nil (M : Nat) (P : List (Request × Nat)) : ∀ n t, engine M n t P [] = P
  | 0, _ => rfl
  | n + 1, t => by rw [engine, admitHeads, engine_nil M P n]

theorem engine_state {M : Nat} : ∀ (n t : Nat) {l : List Request} {P : List (Request × Nat)},
    EngineState M t P l → (∀ q ∈ l, 1 ≤ q.output ∧ q.peak ≤ M) →
    (l = [] ∨ max t (placedEnd P) + (l.map Request.output).sum < t + n) →
    ListRun M (engine M n t P l) ∧
      (engine M n t P l).map Prod.fst = l.reverse ++ P.map Prod.fst
  | n, t, [], P, h, _, _ => by rw [engine_nil]; exact ⟨h.run, rfl⟩
  | 0, t, q :: l, P, _, _, hE => by
    rcases hE with hE | hE
    · cases hE
    · omega
  | n + 1, t, q :: l, P, h, hl, hE => by
    obtain ⟨h1, h2, h3, h4⟩ := admitHeads_state (t + (n + 1)) h hl (hE.resolve_left (by simp))
    obtain ⟨h5, h6⟩ := engine_state n (t + 1) h1 (fun r hr => hl r (h2 r hr))
      (h4.imp id fun h7 => by omega)
    rw [engine]
    exact ⟨h5, h6.trans h3⟩

/-- **The engine is list scheduling**: on every burst, in more instants than there are output
tokens, it places every request, with the starts of the list schedule. -/
theorem engine_eq {M n : Nat} {l : List Request} (h : Burst M l)
    (hn : (l.map Request.output).sum < n) : engine M n 0 [] l = placeAll M [] l := by
  obtain ⟨h1, h2⟩ := engine_state (M := M) n 0 (P := []) (l := l)
    ⟨trivial, Nat.le_refl 0, fun q _ r _ hr => absurd hr (Nat.not_lt_zero r)⟩
    (fun q hq => ⟨h.output_pos q hq, h.fits q hq⟩) (Or.inr (by simpa [placedEnd] using hn))
  rw [List.map_nil, List.append_nil] at h2
  exact (placeAll_eq_of_run h.fits h1 h2).symm

end OnlineKvCache
