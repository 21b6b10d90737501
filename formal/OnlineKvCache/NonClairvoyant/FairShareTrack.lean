module

public import OnlineKvCache.NonClairvoyant.FairShare

@[expose] public section

/-! # One request in one stage -/

namespace OnlineKvCache.NonClairvoyant

/-- The status is unfinished. -/
def Status.isLive : Status → Bool
  | live _ => true
  | done _ => false

/-- What is known, `k` rounds after the start `t₀` of a stage, of a request with that output and
cap: `e` is its attempt in the stage, `gone` says that it completed in it, `s` is its status. -/
def Track (output t₀ k cap : Nat) (gone : Prop) (e : Option Entry) (s : Status) : Prop :=
  match e with
  | none => ¬ gone ∧ ∃ u, s = .live u
  | some e => e.cap = cap ∧ 1 ≤ cap ∧ e.start ≤ k ∧
    ((output ≤ cap ∧ e.start + output ≤ k ∧ gone ∧ s = .done (t₀ + e.start + output)) ∨
      (¬ (output ≤ cap ∧ e.start + output ≤ k) ∧ ¬ gone ∧
        ∃ u, s = .live u ∧ (k ≤ e.start + cap → e.start < k → u = k - e.start)))

/-- The move of a request, from its attempt. -/
noncomputable def moveOf (k : Nat) (e : Option Entry) (gone : Prop) : Move :=
  match e with
  | none => .out
  | some e =>
    haveI := Classical.propDecidable gone
    if k < e.start + e.cap ∧ ¬ gone then (if k = e.start then .fresh else .stay) else .out

variable {o t₀ k cap : Nat} {gone gone' : Prop} {e : Option Entry} {s : Status}

theorem Track.isLive (h : Track o t₀ k cap gone e s) : s.isLive = true ↔ ¬ gone := by
  cases e with
  | none =>
    obtain ⟨h1, u, rfl⟩ := h
    simp [Status.isLive, h1]
  | some e =>
    obtain ⟨_, _, _, h1 | h1⟩ := h
    · obtain ⟨_, _, hg, rfl⟩ := h1
      simp [Status.isLive, hg]
    · obtain ⟨_, hg, u, rfl, _⟩ := h1
      simp [Status.isLive, hg]

/-- One round. -/
theorem Track.round (h : Track o t₀ k cap gone e s) (ho : 1 ≤ o)
    (hg : gone' ↔ s.completes o (moveOf k e gone) = true ∨ gone) :
    Track o t₀ (k + 1) cap gone' e (s.next o (t₀ + k) (moveOf k e gone)) := by
  cases e with
  | none =>
    obtain ⟨h1, u, rfl⟩ := h
    have h0 : (0 : Nat) ≠ o := by omega
    simp only [moveOf, Status.completes, Move.grow, decide_eq_true_eq] at hg
    refine ⟨?_, 0, ?_⟩
    · rw [hg]; exact fun h => h.elim h0 h1
    · simp only [moveOf, Status.next, Move.grow, if_neg h0]
  | some e =>
    obtain ⟨hc, h1, h2, h3 | h3⟩ := h
    · obtain ⟨h4, h5, h6, rfl⟩ := h3
      exact ⟨hc, h1, by omega, Or.inl ⟨h4, by omega, hg.2 (Or.inr h6), rfl⟩⟩
    · obtain ⟨h4, h5, u, rfl, h6⟩ := h3
      refine ⟨hc, h1, by omega, ?_⟩
      by_cases hk : k < e.start + cap
      · have hgrow : (moveOf k (some e) gone).grow u = k + 1 - e.start := by
          unfold moveOf
          dsimp only
          rw [hc, if_pos ⟨hk, h5⟩]
          by_cases hs : k = e.start
          · rw [if_pos hs]
            simp only [Move.grow]
            omega
          · rw [if_neg hs]
            have := h6 (by omega) (by omega)
            simp only [Move.grow]
            omega
        simp only [Status.completes, hgrow, decide_eq_true_eq] at hg
        simp only [Status.next, hgrow]
        by_cases hd : k + 1 - e.start = o
        · rw [if_pos hd]
          refine Or.inl ⟨by omega, by omega, hg.2 (Or.inl hd), ?_⟩
          congr 1
          omega
        · rw [if_neg hd]
          refine Or.inr ⟨fun h => ?_, fun h => (hg.1 h).elim hd h5, _, rfl, fun _ _ => rfl⟩
          exact h4 ⟨h.1, by omega⟩
      · have hm : moveOf k (some e) gone = .out := by
          unfold moveOf
          dsimp only
          rw [hc, if_neg fun h => hk h.1]
        have h0 : (0 : Nat) ≠ o := by omega
        simp only [hm, Status.completes, Move.grow, decide_eq_true_eq] at hg
        simp only [hm, Status.next, Move.grow, if_neg h0]
        refine Or.inr ⟨fun h => h4 ⟨h.1, by omega⟩, fun h => (hg.1 h).elim h0 h5, 0, rfl,
          fun h => by omega⟩

/-- The batch of the round, by start and real running time. -/
theorem Track.runs (h : Track o t₀ k cap gone e s) :
    (∃ x, e = some x ∧ k < x.start + x.cap ∧ ¬ gone) ↔
      ∃ x, e = some x ∧ x.start ≤ k ∧ k < x.start + min o cap := by
  cases e with
  | none =>
    exact ⟨fun ⟨_, h, _⟩ => (by cases h), fun ⟨_, h, _⟩ => (by cases h)⟩
  | some e =>
    obtain ⟨hc, h1, h2, h3⟩ := h
    constructor
    · rintro ⟨x, hx, h4, h5⟩
      cases hx
      refine ⟨e, rfl, h2, ?_⟩
      rcases h3 with h3 | h3
      · exact absurd h3.2.2.1 h5
      · have := h3.1
        omega
    · rintro ⟨x, hx, h4, h5⟩
      cases hx
      refine ⟨e, rfl, by omega, ?_⟩
      rcases h3 with h3 | h3
      · omega
      · exact h3.2.1

/-- Memory stays within what is reserved. -/
theorem Track.memory_le (h : Track o t₀ k cap gone e s) (p : Nat) :
    s.memory p (moveOf k e gone) ≤
      haveI := Classical.propDecidable (∃ x, e = some x ∧ k < x.start + x.cap ∧ ¬ gone)
      if ∃ x, e = some x ∧ k < x.start + x.cap ∧ ¬ gone then p + cap else 0 := by
  cases e with
  | none =>
    obtain ⟨h1, u, rfl⟩ := h
    simp [moveOf, Status.memory, Move.grow]
  | some e =>
    obtain ⟨hc, h1, h2, h3 | h3⟩ := h
    · obtain ⟨_, _, _, rfl⟩ := h3
      exact Nat.zero_le _
    · obtain ⟨h4, h5, u, rfl, h6⟩ := h3
      by_cases hk : k < e.start + cap
      · rw [if_pos ⟨e, rfl, by omega, h5⟩]
        have hgrow : (moveOf k (some e) gone).grow u = k + 1 - e.start := by
          unfold moveOf
          dsimp only
          rw [hc, if_pos ⟨hk, h5⟩]
          by_cases hs : k = e.start
          · rw [if_pos hs]
            simp only [Move.grow]
            omega
          · rw [if_neg hs]
            have := h6 (by omega) (by omega)
            simp only [Move.grow]
            omega
        simp only [Status.memory, hgrow]
        split <;> omega
      · have hm : moveOf k (some e) gone = .out := by
          unfold moveOf
          dsimp only
          rw [hc, if_neg fun h => hk h.1]
        simp [hm, Status.memory, Move.grow]

/-- When nothing of the request runs or waits any more, it is completed exactly if its output is
within the cap. -/
theorem Track.finish (h : Track o t₀ k cap gone e s) (ho : 1 ≤ o)
    (hr : ¬ ∃ x, e = some x ∧ k < x.start + x.cap ∧ ¬ gone)
    (hw : ¬ (1 ≤ cap ∧ e = none ∧ ¬ gone)) :
    if o ≤ cap then ∃ c, s = .done c ∧ c ≤ t₀ + k else s.isLive = true := by
  cases e with
  | none =>
    obtain ⟨h1, u, rfl⟩ := h
    have : cap = 0 := by
      refine Classical.byContradiction fun hc => hw ⟨by omega, rfl, h1⟩
    rw [if_neg (by omega)]
    rfl
  | some e =>
    obtain ⟨hc, h1, h2, h3 | h3⟩ := h
    · obtain ⟨h4, h5, _, rfl⟩ := h3
      rw [if_pos h4]
      exact ⟨_, rfl, by omega⟩
    · obtain ⟨h4, h5, u, rfl, h6⟩ := h3
      have h7 : ¬ k < e.start + cap := fun h => hr ⟨e, rfl, by omega, h5⟩
      rw [if_neg fun h => h4 ⟨h, by omega⟩]
      rfl

end OnlineKvCache.NonClairvoyant
