module

public import OnlineKvCache.TightRatio.MainFillerState
public import OnlineKvCache.TightRatio.Trace
public import OnlineKvCache.Basic.Schedules
public import OnlineKvCache.Basic.Cover

public section

/-! # The simulation is causal, serves everything and satisfies `Trace` -/

namespace OnlineKvCache

theorem KeyLt.total {p q : Request} (h : p.id ≠ q.id) : KeyLt p q ∨ KeyLt q p := by
  unfold KeyLt; omega

theorem KeyLt.asymm {p q : Request} (h : KeyLt p q) : ¬ KeyLt q p := by
  unfold KeyLt at *; omega

theorem KeyLt.output_le {p q : Request} (h : KeyLt p q) : p.output ≤ q.output := by
  unfold KeyLt at *; omega

theorem KeyLt.trans {p q r : Request} (h : KeyLt p q) (h' : KeyLt q r) : KeyLt p r := by
  unfold KeyLt at *; omega

theorem smallest_none : ∀ {l : List Request}, smallest l = none → l = []
  | [], _ => rfl
  | q :: l, h => by
    unfold smallest at h
    split at h
    · cases h
    · split at h <;> cases h

theorem smallest_some : ∀ {l : List Request} {q : Request}, smallest l = some q →
    q ∈ l ∧ ∀ p ∈ l, ¬ KeyLt p q
  | [], _, h => by cases h
  | r :: l, q, h => by
    unfold smallest at h
    split at h
    next hn =>
      cases h
      rw [smallest_none hn]
      refine ⟨List.mem_cons_self .., fun p hp => ?_⟩
      obtain rfl : p = r := by simpa using hp
      exact fun h => h.asymm h
    next p hp =>
      have ih := smallest_some hp
      split at h
      next hlt =>
        cases h
        refine ⟨List.mem_cons_of_mem _ ih.1, fun a ha => ?_⟩
        rcases List.mem_cons.1 ha with rfl | ha
        · exact hlt.asymm
        · exact ih.2 a ha
      next hlt =>
        cases h
        refine ⟨List.mem_cons_self .., fun a ha => ?_⟩
        rcases List.mem_cons.1 ha with rfl | ha
        · exact fun h => h.asymm h
        · have := ih.2 a ha
          unfold KeyLt at *; omega

/-- The choice depends only on which requests there are. -/
theorem smallest_congr {l m : List Request} (hinj : ∀ p ∈ l, ∀ q ∈ l, p.id = q.id → p = q)
    (h : ∀ q, q ∈ l ↔ q ∈ m) : smallest l = smallest m := by
  cases hl : smallest l with
  | none =>
    have h0 := smallest_none hl
    subst h0
    cases hm : smallest m with
    | none => rfl
    | some q => exact absurd ((h q).2 (smallest_some hm).1) (List.not_mem_nil)
  | some p =>
    cases hm : smallest m with
    | none =>
      have h0 := smallest_none hm
      subst h0
      exact absurd ((h p).1 (smallest_some hl).1) (List.not_mem_nil)
    | some q =>
      have hp := smallest_some hl
      have hq := smallest_some hm
      have hq' := (h q).2 hq.1
      congr 1
      refine hinj p hp.1 q hq' (Decidable.byContradiction fun hne => ?_)
      rcases KeyLt.total hne with h1 | h1
      · exact hq.2 p ((h p).1 hp.1) h1
      · exact hp.2 q hq' h1

/-! ### One round -/

theorem running_none {role : Bool} {log : List Entry} {t : Nat} (h : running role log t = none) :
    ∀ e ∈ log, e.main = role → e.finish ≤ t := fun e he hr => by
  have := List.find?_eq_none.1 h e he
  simp only [hr, true_and, decide_eq_true_eq] at this
  omega

theorem running_some {role : Bool} {log : List Entry} {t : Nat} {e : Entry}
    (h : running role log t = some e) : e ∈ log ∧ e.main = role ∧ t < e.finish :=
  ⟨List.mem_of_find?_eq_some h, by simpa using List.find?_some h⟩

theorem mem_waiting {ready : Request → Nat} {I : List Request} {log : List Entry} {t : Nat}
    {q : Request} :
    q ∈ waiting ready I log t ↔ q ∈ I ∧ ready q ≤ t ∧ ∀ e ∈ log, e.request ≠ q := by
  simp [waiting]

/-- The three outcomes of the first half of a round. -/
theorem startMain_cases (ready : Request → Nat) (I : List Request) (log : List Entry) (t : Nat) :
    (startMain ready I log t = log ∧ ∃ e ∈ log, e.main = true ∧ t < e.finish) ∨
    (startMain ready I log t = log ∧ ∀ q, q ∉ waiting ready I log t) ∨
    (∃ q, startMain ready I log t = ⟨q, t, true⟩ :: log ∧
      (∀ e ∈ log, e.main = true → e.finish ≤ t) ∧ q ∈ waiting ready I log t ∧
      ∀ p ∈ waiting ready I log t, ¬ KeyLt p q) := by
  unfold startMain
  split
  next e he => exact Or.inl ⟨rfl, e, running_some he⟩
  next hn =>
    split
    next h => exact Or.inr (Or.inl ⟨rfl, fun q hq => by rw [smallest_none h] at hq; cases hq⟩)
    next q h => exact Or.inr (Or.inr ⟨q, rfl, running_none hn, smallest_some h⟩)

/-- The four outcomes of the second half of a round. -/
theorem startFiller_cases (M : Nat) (ready : Request → Nat) (I : List Request) (log : List Entry)
    (t : Nat) :
    (startFiller M ready I log t = log ∧ ∀ e ∈ log, e.main = true → e.finish ≤ t) ∨
    (∃ j ∈ log, j.main = true ∧ t < j.finish ∧
      ((startFiller M ready I log t = log ∧ ∃ e ∈ log, e.main = false ∧ t < e.finish) ∨
      (startFiller M ready I log t = log ∧
        ∀ q ∈ waiting ready I log t, ¬ FitsUnder M j t q) ∨
      (∃ q, startFiller M ready I log t = ⟨q, t, false⟩ :: log ∧
        (∀ e ∈ log, e.main = false → e.finish ≤ t) ∧
        q ∈ waiting ready I log t ∧ FitsUnder M j t q ∧
        ∀ p ∈ waiting ready I log t, FitsUnder M j t p → ¬ KeyLt p q))) := by
  unfold startFiller
  split
  next hn => exact Or.inl ⟨rfl, running_none hn⟩
  next j hj =>
    have hj' := running_some hj
    refine Or.inr ⟨j, hj'.1, hj'.2.1, hj'.2.2, ?_⟩
    split
    next e he => exact Or.inl ⟨rfl, e, running_some he⟩
    next hn =>
      split
      next h =>
        refine Or.inr (Or.inl ⟨rfl, fun q hq hf => ?_⟩)
        have h0 := smallest_none h
        have : q ∈ (waiting ready I log t).filter fun q => decide (FitsUnder M j t q) :=
          List.mem_filter.2 ⟨hq, by simpa using hf⟩
        rw [h0] at this
        cases this
      next q h =>
        have h0 := smallest_some h
        have h1 := List.mem_filter.1 h0.1
        refine Or.inr (Or.inr ⟨q, rfl, running_none hn, h1.1, by simpa using h1.2,
          fun p hp hf => h0.2 p (List.mem_filter.2 ⟨hp, by simpa using hf⟩)⟩)

theorem LogInv.succ {M : Nat} {ready : Request → Nat} {I : List Request} {t : Nat}
    {log : List Entry} (h : LogInv M ready I t log) : LogInv M ready I (t + 1) log where
  started e he := ⟨Nat.lt_succ_of_lt (h.started e he).1, (h.started e he).2⟩
  once := h.once
  apart := h.apart
  host := h.host

theorem LogInv.cons {M : Nat} {ready : Request → Nat} {I : List Request} {t : Nat}
    {log : List Entry} (h : LogInv M ready I (t + 1) log) {q : Request} {role : Bool}
    (hq : q ∈ waiting ready I log t) (hr : ∀ e ∈ log, e.main = role → e.finish ≤ t)
    (hh : role = false →
      ∃ m ∈ log, m.main = true ∧ m.start ≤ t ∧ FitsUnder M m t q) :
    LogInv M ready I (t + 1) (⟨q, t, role⟩ :: log) := by
  have hw := mem_waiting.1 hq
  constructor
  · intro e he
    rcases List.mem_cons.1 he with rfl | he
    · exact ⟨Nat.lt_succ_self t, hw.1, hw.2.1⟩
    · exact h.started e he
  · intro e he f hf hef
    rcases List.mem_cons.1 he with rfl | he <;> rcases List.mem_cons.1 hf with rfl | hf
    · rfl
    · exact absurd hef.symm (hw.2.2 f hf)
    · exact absurd hef (hw.2.2 e he)
    · exact h.once e he f hf hef
  · intro e he f hf hef hne
    rcases List.mem_cons.1 he with rfl | he <;> rcases List.mem_cons.1 hf with rfl | hf
    · exact absurd rfl hne
    · exact Or.inr (hr f hf hef.symm)
    · exact Or.inl (hr e he hef)
    · exact h.apart e he f hf hef hne
  · intro f hf hm
    rcases List.mem_cons.1 hf with rfl | hf
    · obtain ⟨m, hm1, hm2⟩ := hh hm
      exact ⟨m, List.mem_cons_of_mem _ hm1, hm2⟩
    · obtain ⟨m, hm1, hm2⟩ := h.host f hf hm
      exact ⟨m, List.mem_cons_of_mem _ hm1, hm2⟩

theorem startMain_mem {ready : Request → Nat} {I : List Request} {log : List Entry} {t : Nat}
    {e : Entry} (he : e ∈ log) : e ∈ startMain ready I log t := by
  rcases startMain_cases ready I log t with ⟨h, _⟩ | ⟨h, _⟩ | ⟨q, h, _⟩ <;> rw [h]
  · exact he
  · exact he
  · exact List.mem_cons_of_mem _ he

theorem startFiller_mem {M : Nat} {ready : Request → Nat} {I : List Request} {log : List Entry}
    {t : Nat} {e : Entry} (he : e ∈ log) : e ∈ startFiller M ready I log t := by
  rcases startFiller_cases M ready I log t with
    ⟨h, _⟩ | ⟨j, _, _, _, ⟨h, _⟩ | ⟨h, _⟩ | ⟨q, h, _⟩⟩ <;> rw [h]
  · exact he
  · exact he
  · exact he
  · exact List.mem_cons_of_mem _ he

/-- Entries that are new in round `t` start in it. -/
theorem startMain_new {ready : Request → Nat} {I : List Request} {log : List Entry} {t : Nat}
    {e : Entry} (he : e ∈ startMain ready I log t) : e ∈ log ∨ (e.start = t ∧ e.main = true ∧
      e.request ∈ waiting ready I log t ∧ ∀ p ∈ waiting ready I log t, ¬ KeyLt p e.request) := by
  rcases startMain_cases ready I log t with ⟨h, _⟩ | ⟨h, _⟩ | ⟨q, h, _, hw⟩ <;> rw [h] at he
  · exact Or.inl he
  · exact Or.inl he
  · rcases List.mem_cons.1 he with rfl | he
    · exact Or.inr ⟨rfl, rfl, hw⟩
    · exact Or.inl he

theorem startFiller_new {M : Nat} {ready : Request → Nat} {I : List Request} {log : List Entry}
    {t : Nat} {e : Entry} (he : e ∈ startFiller M ready I log t) :
    e ∈ log ∨ (e.start = t ∧ e.main = false) := by
  rcases startFiller_cases M ready I log t with
    ⟨h, _⟩ | ⟨j, _, _, _, ⟨h, _⟩ | ⟨h, _⟩ | ⟨q, h, _⟩⟩ <;> rw [h] at he
  · exact Or.inl he
  · exact Or.inl he
  · exact Or.inl he
  · rcases List.mem_cons.1 he with rfl | he
    · exact Or.inr ⟨rfl, rfl⟩
    · exact Or.inl he

theorem LogInv.startMain {M : Nat} {ready : Request → Nat} {I : List Request} {t : Nat}
    {log : List Entry} (h : LogInv M ready I t log) :
    LogInv M ready I (t + 1) (startMain ready I log t) := by
  rcases startMain_cases ready I log t with ⟨h1, _⟩ | ⟨h1, _⟩ | ⟨q, h1, hr, hq, _⟩ <;> rw [h1]
  · exact h.succ
  · exact h.succ
  · exact h.succ.cons hq hr (by intro h; cases h)

theorem LogInv.startFiller {M : Nat} {ready : Request → Nat} {I : List Request} {t : Nat}
    {log : List Entry} (h : LogInv M ready I (t + 1) log) :
    LogInv M ready I (t + 1) (startFiller M ready I log t) := by
  rcases startFiller_cases M ready I log t with
    ⟨h1, _⟩ | ⟨j, hj, hm, ht, ⟨h1, _⟩ | ⟨h1, _⟩ | ⟨q, h1, hr, hq, hf, _⟩⟩ <;> rw [h1]
  · exact h
  · exact h
  · exact h
  · exact h.cons hq hr fun _ => ⟨j, hj, hm, Nat.le_of_lt_succ (h.started j hj).1, hf⟩

theorem history_inv (M : Nat) (ready : Request → Nat) (I : List Request) :
    ∀ t, LogInv M ready I t (history M ready I t)
  | 0 => by
    constructor <;> intro e he <;> cases he
  | t + 1 => (history_inv M ready I t).startMain.startFiller

theorem history_succ_mem {M : Nat} {ready : Request → Nat} {I : List Request} {t : Nat} {e : Entry}
    (he : e ∈ history M ready I t) : e ∈ history M ready I (t + 1) :=
  startFiller_mem (startMain_mem he)

theorem history_mono {M : Nat} {ready : Request → Nat} {I : List Request} {t u : Nat} (h : t ≤ u)
    {e : Entry} (he : e ∈ history M ready I t) : e ∈ history M ready I u := by
  induction h with
  | refl => exact he
  | step _ ih => exact history_succ_mem ih

/-- An entry is in the log from its own round on. -/
theorem history_restrict {M : Nat} {ready : Request → Nat} {I : List Request} {e : Entry} :
    ∀ {t : Nat}, e ∈ history M ready I t → ∀ {u : Nat}, e.start < u → e ∈ history M ready I u
  | 0, he, _, _ => by cases he
  | t + 1, he, u, hu => by
    rcases startFiller_new he with h | ⟨h, _⟩
    · rcases startMain_new h with h | ⟨h, _⟩
      · exact history_restrict h hu
      · exact history_mono (by omega) he
    · exact history_mono (by omega) he

/-! ### Facts about one round of the history -/

section Round

variable {M : Nat} {ready : Request → Nat} {I : List Request}

/-- While a ready request waits, a main runs. -/
theorem round_busy {t : Nat} {q : Request} (hq : q ∈ I) (hr : ready q ≤ t)
    (hn : ∀ e ∈ history M ready I (t + 1), e.request ≠ q) (hpos : ∀ q ∈ I, 1 ≤ q.output) :
    ∃ m ∈ history M ready I (t + 1), m.main = true ∧ m.start ≤ t ∧ t < m.finish := by
  have hinv := history_inv M ready I t
  rcases startMain_cases ready I (history M ready I t) t with
    ⟨_, e, he, hm, ht⟩ | ⟨_, h⟩ | ⟨p, h, _, hw, _⟩
  · exact ⟨e, history_succ_mem he, hm, Nat.le_of_lt (hinv.started e he).1, ht⟩
  · exact absurd (mem_waiting.2 ⟨hq, hr, fun e he => hn e (history_succ_mem he)⟩) (h q)
  · refine ⟨⟨p, t, true⟩, startFiller_mem (h ▸ List.mem_cons_self ..), rfl, Nat.le_refl t, ?_⟩
    have := hpos p (mem_waiting.1 hw).1
    simp only [Entry.finish]; omega

/-- A main that starts in round `t` is not larger than any request that was waiting. -/
theorem round_main_first {t : Nat} {m : Entry} (hm : m ∈ history M ready I (t + 1))
    (hmm : m.main = true) (ht : m.start = t) {q : Request} (hq : q ∈ I) (hr : ready q ≤ t)
    (hn : ∀ e ∈ history M ready I t, e.request ≠ q) : ¬ KeyLt q m.request := by
  have hinv := history_inv M ready I t
  rcases startFiller_new hm with h | ⟨_, h⟩
  · rcases startMain_new h with h | ⟨_, _, _, h⟩
    · have := (hinv.started m h).1; omega
    · exact h q (mem_waiting.2 ⟨hq, hr, hn⟩)
  · rw [hmm] at h; cases h

/-- While a ready request waits that would fit under the main, a filler runs. -/
theorem round_filler {t : Nat} {m : Entry} (hm : m ∈ history M ready I (t + 1))
    (hmm : m.main = true) (hs : m.start ≤ t) (ht : t < m.finish) {q : Request} (hq : q ∈ I)
    (hr : ready q ≤ t) (hn : ∀ e ∈ history M ready I (t + 1), e.request ≠ q)
    (hf : FitsUnder M m t q) (hpos : ∀ q ∈ I, 1 ≤ q.output) :
    ∃ f ∈ history M ready I (t + 1), f.main = false ∧ f.start ≤ t ∧ t < f.finish ∧
      (f.start = t → ¬ KeyLt q f.request) := by
  have hinv := history_inv M ready I t
  have hinv' := hinv.startMain
  have hm' : m ∈ startMain ready I (history M ready I t) t := by
    rcases startFiller_new hm with h | ⟨_, h⟩
    · exact h
    · rw [hmm] at h; cases h
  have hq' : q ∈ waiting ready I (startMain ready I (history M ready I t) t) t :=
    mem_waiting.2 ⟨hq, hr, fun e he => hn e (startFiller_mem he)⟩
  rcases startFiller_cases M ready I (startMain ready I (history M ready I t) t) t with
    ⟨_, h⟩ | ⟨j, hj, hjm, hjt, h⟩
  · have := h m hm' hmm; omega
  · -- the main that runs is unique
    obtain rfl : j = m := Decidable.byContradiction (p := j = m) (dec := Classical.propDecidable _)
      fun hne => by
        have h1 := hinv'.apart j hj m hm' (hjm.trans hmm.symm) hne
        have h2 := (hinv'.started j hj).1
        omega
    rcases h with ⟨h, e, he, hem, het⟩ | ⟨_, h⟩ | ⟨p, h, _, hw, _, hmin⟩
    · refine ⟨e, startFiller_mem he, hem, Nat.le_of_lt_succ (hinv'.started e he).1, het,
        fun hst => ?_⟩
      rcases startMain_new he with h3 | ⟨_, h3, _⟩
      · have := (hinv.started e h3).1; omega
      · rw [hem] at h3; cases h3
    · exact absurd hf (h q hq')
    · refine ⟨⟨p, t, false⟩, ?_, rfl, Nat.le_refl t, ?_, fun _ => hmin q hq' hf⟩
      · change _ ∈ startFiller M ready I (startMain ready I (history M ready I t) t) t
        rw [h]; exact List.mem_cons_self ..
      · have := hpos p (mem_waiting.1 hw).1
        simp only [Entry.finish]; omega

end Round

/-! ### Everything is served -/

theorem history_nodup (M : Nat) (ready : Request → Nat) (I : List Request) :
    ∀ t, ((history M ready I t).map Entry.request).Nodup
  | 0 => List.nodup_nil
  | t + 1 => by
    have key : ∀ (log : List Entry) (q : Request) (r : Bool), (log.map Entry.request).Nodup →
        q ∈ waiting ready I log t → ((⟨q, t, r⟩ :: log : List Entry).map Entry.request).Nodup :=
      fun log q r h hq => by
        rw [List.map_cons, List.nodup_cons]
        refine ⟨fun hmem => ?_, h⟩
        obtain ⟨e, he, heq⟩ := List.mem_map.1 hmem
        exact (mem_waiting.1 hq).2.2 e he heq
    have h1 : ((startMain ready I (history M ready I t) t).map Entry.request).Nodup := by
      have ih := history_nodup M ready I t
      rcases startMain_cases ready I (history M ready I t) t with
        ⟨h, _⟩ | ⟨h, _⟩ | ⟨q, h, _, hq, _⟩ <;> rw [h]
      · exact ih
      · exact ih
      · exact key _ _ _ ih hq
    change ((startFiller M ready I _ t).map Entry.request).Nodup
    rcases startFiller_cases M ready I (startMain ready I (history M ready I t) t) t with
      ⟨h, _⟩ | ⟨j, _, _, _, ⟨h, _⟩ | ⟨h, _⟩ | ⟨q, h, _, hq, _⟩⟩ <;> rw [h]
    · exact h1
    · exact h1
    · exact h1
    · exact key _ _ _ h1 hq

theorem ready_add_lt_horizon {ready : Request → Nat} {I : List Request} {q : Request} (hq : q ∈ I) :
    ready q + (I.map Request.output).sum < horizon ready I := by
  have h1 := sum_map_add ready Request.output I
  have h2 := le_sum_map ready hq
  unfold horizon
  omega

theorem history_serves {M : Nat} {ready : Request → Nat} {I : List Request}
    (hpos : ∀ q ∈ I, 1 ≤ q.output) {q : Request} (hq : q ∈ I) :
    ∃ e ∈ history M ready I (horizon ready I), e.request = q := by
  refine Classical.byContradiction fun hno => ?_
  have hn : ∀ e ∈ history M ready I (horizon ready I), e.request ≠ q :=
    fun e he h => hno ⟨e, he, h⟩
  have hinv := history_inv M ready I (horizon ready I)
  have hcov := cover (x := ready q) (y := horizon ready I)
    (G := (history M ready I (horizon ready I)).map fun e => (e.request, e.start))
    (b := Prod.snd) (o := fun p => p.1.output) (fun t h1 h2 => by
      obtain ⟨m, hm, _, hs, ht⟩ := round_busy (M := M) hq h1
        (fun e he => hn e (history_mono h2 he)) hpos
      exact ⟨_, List.mem_map_of_mem (history_mono h2 hm), hs, ht⟩)
  rw [List.map_map] at hcov
  -- the log holds each request at most once
  have hle : ((history M ready I (horizon ready I)).map
      ((fun p : Request × Nat => p.1.output) ∘ fun e => (e.request, e.start))).sum ≤
      (I.map Request.output).sum := by
    have : ((fun p : Request × Nat => p.1.output) ∘ fun e : Entry => (e.request, e.start)) =
        Request.output ∘ Entry.request := rfl
    rw [this, ← List.map_map]
    refine sum_map_le_of_subset ?_ fun r hr => ?_
    · exact history_nodup M ready I _
    · obtain ⟨e, he, rfl⟩ := List.mem_map.1 hr
      exact (hinv.started e he).2.1
  have := ready_add_lt_horizon (ready := ready) hq
  omega

end OnlineKvCache
