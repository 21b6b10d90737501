module

public import OnlineKvCache.Svf.Scheduler
public import OnlineKvCache.Basic.Schedules

@[expose] public section

/-! # List schedules are feasible, and each start is the least one

`ListRun` says of placed requests what list scheduling guarantees; it determines the starts. -/

namespace OnlineKvCache

/-- `q`, started in round `k`, fits for its whole run beside the placed requests `P`. -/
def Fits (M : Nat) (P : List (Request × Nat)) (q : Request) (k : Nat) : Prop :=
  ∀ u, u < q.output → placedMemory P (k + u) + q.prompt + u + 1 ≤ M

/-- The placed requests, the last one first: each starts in the least round, from the start of the
one before it on, in which it fits. -/
def ListRun (M : Nat) : List (Request × Nat) → Prop
  | [] => True
  | x :: P => ListRun M P ∧ lastStart P ≤ x.2 ∧ Fits M P x.1 x.2 ∧
      ∀ t, lastStart P ≤ t → t < x.2 → ¬ Fits M P x.1 t

theorem fitsFor_iff {M : Nat} {P : List (Request × Nat)} {s k : Nat} : ∀ {n : Nat},
    fitsFor M P s k n = true ↔ ∀ u, u < n → placedMemory P (k + u) + s + u + 1 ≤ M
  | 0 => by simp [fitsFor]
  | n + 1 => by
    rw [fitsFor, Bool.and_eq_true, decide_eq_true_eq, fitsFor_iff]
    constructor
    · rintro ⟨h1, h2⟩ u hu
      rcases Nat.lt_or_ge u n with h | h
      · exact h2 u h
      · obtain rfl : u = n := by omega
        exact h1
    · exact fun h => ⟨h n (Nat.lt_succ_self n), fun u hu => h u (Nat.lt_succ_of_lt hu)⟩

theorem placedMemory_end : ∀ {P : List (Request × Nat)} {t : Nat}, placedEnd P ≤ t →
    placedMemory P t = 0
  | [], _, _ => rfl
  | x :: P, t, h => by
    unfold placedEnd at h
    rw [placedMemory, placedMemory_end (show placedEnd P ≤ t by omega), if_neg (by omega)]

theorem fits_end {M : Nat} {P : List (Request × Nat)} {q : Request} (hq : q.peak ≤ M) {t : Nat}
    (h : placedEnd P ≤ t) : Fits M P q t := fun u hu => by
  have := placedMemory_end (show placedEnd P ≤ t + u by omega)
  unfold Request.peak at hq
  omega

theorem firstFit_spec {M : Nat} {P : List (Request × Nat)} {q : Request} : ∀ (fuel t : Nat),
    Fits M P q (t + fuel) → t ≤ firstFit M P q fuel t ∧ Fits M P q (firstFit M P q fuel t) ∧
      ∀ u, t ≤ u → u < firstFit M P q fuel t → ¬ Fits M P q u
  | 0, t, h => ⟨Nat.le_refl _, h, fun u h1 h2 => absurd h1 (Nat.not_le_of_lt h2)⟩
  | fuel + 1, t, h => by
    rw [firstFit]
    by_cases hf : fitsFor M P q.prompt t q.output = true
    · rw [if_pos hf]
      exact ⟨Nat.le_refl _, fitsFor_iff.1 hf, fun u h1 h2 => absurd h1 (Nat.not_le_of_lt h2)⟩
    · rw [if_neg hf]
      obtain ⟨h1, h2, h3⟩ := firstFit_spec fuel (t + 1) (by
        rw [show t + 1 + fuel = t + (fuel + 1) by omega]; exact h)
      refine ⟨by omega, h2, fun u hu1 hu2 => ?_⟩
      rcases Nat.lt_or_ge t u with h4 | h4
      · exact h3 u h4 hu2
      · obtain rfl : u = t := by omega
        exact fun hc => hf (fitsFor_iff.2 hc)

theorem placeAll_run {M : Nat} : ∀ {l : List Request} {P : List (Request × Nat)}, ListRun M P →
    (∀ q ∈ l, q.peak ≤ M) → ListRun M (placeAll M P l)
  | [], _, h, _ => h
  | q :: l, P, h, hp => by
    have h1 := firstFit_spec (M := M) (P := P) (q := q) (placedEnd P) (lastStart P)
      (fits_end (hp q (List.mem_cons_self ..)) (Nat.le_add_left ..))
    exact placeAll_run (l := l)
      (P := (q, firstFit M P q (placedEnd P) (lastStart P)) :: P) ⟨h, h1⟩
      fun r hr => hp r (List.mem_cons_of_mem _ hr)

theorem placeAll_append (M : Nat) : ∀ (l m : List Request) (P : List (Request × Nat)),
    placeAll M P (l ++ m) = placeAll M (placeAll M P l) m
  | [], _, _ => rfl
  | q :: l, m, P => by rw [List.cons_append, placeAll, placeAll, placeAll_append M l m]

/-- Requests are placed in front of those that are there already, which keep their starts. -/
theorem placeAll_eq (M : Nat) : ∀ (l : List Request) (P : List (Request × Nat)),
    ∃ Q, placeAll M P l = Q ++ P ∧ Q.map Prod.fst = l.reverse
  | [], P => ⟨[], rfl, rfl⟩
  | q :: l, P => by
    obtain ⟨Q, h1, h2⟩ := placeAll_eq M l ((q, firstFit M P q (placedEnd P) (lastStart P)) :: P)
    refine ⟨Q ++ [(q, firstFit M P q (placedEnd P) (lastStart P))], ?_, ?_⟩
    · rw [placeAll, h1, List.append_assoc]; rfl
    · rw [List.map_append, h2, List.reverse_cons]; rfl

theorem placeAll_fst (M : Nat) (l : List Request) :
    (placeAll M [] l).map Prod.fst = l.reverse := by
  obtain ⟨Q, h1, h2⟩ := placeAll_eq M l []
  rw [h1, List.append_nil, h2]

/-- A run is determined by its requests. -/
theorem ListRun.unique {M : Nat} : ∀ {P Q : List (Request × Nat)}, ListRun M P → ListRun M Q →
    P.map Prod.fst = Q.map Prod.fst → P = Q
  | [], [], _, _, _ => rfl
  | [], _ :: _, _, _, h => by cases h
  | _ :: _, [], _, _, h => by cases h
  | (p, k) :: P, (q, m) :: Q, hP, hQ, h => by
    rw [List.map_cons, List.map_cons, List.cons.injEq] at h
    obtain ⟨rfl, h⟩ : p = q ∧ _ := h
    obtain rfl := ListRun.unique hP.1 hQ.1 h
    obtain ⟨_, h1, h2, h3⟩ := hP
    obtain ⟨_, h4, h5, h6⟩ := hQ
    have h7 : k = m := by
      rcases Nat.lt_trichotomy k m with h7 | h7 | h7
      · exact absurd h2 (h6 k h1 h7)
      · exact h7
      · exact absurd h5 (h3 m h4 h7)
    rw [h7]

/-- To compute a list schedule, guess its starts and verify that they form a run. -/
theorem placeAll_eq_of_run {M : Nat} {l : List Request} {P : List (Request × Nat)}
    (hp : ∀ q ∈ l, q.peak ≤ M) (h : ListRun M P) (hl : P.map Prod.fst = l.reverse) :
    placeAll M [] l = P :=
  (placeAll_run (P := []) trivial hp).unique h (by rw [placeAll_fst, hl])

theorem listSchedule_eq_of_run {M : Nat} {l : List Request} {P : List (Request × Nat)}
    (hp : ∀ q ∈ l, q.peak ≤ M) (h : ListRun M P) (hl : P.map Prod.fst = l.reverse) :
    listSchedule M l = startIn P := by
  rw [listSchedule, placeAll_eq_of_run hp h hl]

/-- In a run the memory suffices in every round. -/
theorem ListRun.capacity {M : Nat} : ∀ {P : List (Request × Nat)}, ListRun M P → ∀ t,
    placedMemory P t ≤ M
  | [], _, _ => Nat.zero_le _
  | x :: P, h, t => by
    have h1 := h.1.capacity t
    rw [placedMemory]
    split
    · rename_i ha
      have h2 := h.2.2.1 (t - x.2) (by omega)
      rw [show x.2 + (t - x.2) = t by omega] at h2
      omega
    · omega

theorem startIn_append {P Q : List (Request × Nat)} {i : Nat}
    (h : ∀ x ∈ Q, x.1.id ≠ i) : startIn (Q ++ P) i = startIn P i := by
  induction Q with
  | nil => rfl
  | cons x Q ih =>
    rw [List.cons_append, startIn, if_neg (h x (List.mem_cons_self ..)),
      ih fun y hy => h y (List.mem_cons_of_mem _ hy)]

/-- With distinct labels, `startIn` finds the start of each placed request. -/
theorem startIn_eq : ∀ {P : List (Request × Nat)}, (P.map fun x => x.1.id).Nodup →
    ∀ x ∈ P, startIn P x.1.id = x.2
  | y :: P, hn, x, hx => by
    have hn' := List.nodup_cons.1 (show (y.1.id :: P.map fun x => x.1.id).Nodup from hn)
    rw [startIn]
    rcases List.mem_cons.1 hx with hx1 | hx1
    · rw [hx1, if_pos rfl]
    · rw [if_neg, startIn_eq hn'.2 x hx1]
      exact fun he => hn'.1 (he ▸ List.mem_map_of_mem (f := fun x => x.1.id) hx1)

/-- The memory of placed requests is the occupancy of every schedule with their starts. -/
theorem placedMemory_eq {S : Schedule} : ∀ {P : List (Request × Nat)},
    (∀ x ∈ P, S x.1.id = x.2) → ∀ t, placedMemory P t = occupancy (P.map Prod.fst) S t
  | [], _, _ => rfl
  | x :: P, h, t => by
    have ih := placedMemory_eq (S := S) (P := P) (fun y hy => h y (List.mem_cons_of_mem _ hy)) t
    have h1 := h x (List.mem_cons_self ..)
    rw [placedMemory, ih]
    simp only [occupancy, List.map_cons, List.sum_cons, memory, Active, completion, start, h1]

theorem occupancy_perm {I J : List Request} (h : I.Perm J) (S : Schedule) (t : Nat) :
    occupancy I S t = occupancy J S t := (h.map _).sum_nat

theorem Feasible.perm {M : Nat} {I J : List Request} {S : Schedule} (h : I.Perm J)
    (hf : Feasible M I S) : Feasible M J S where
  release q hq := hf.release q (h.mem_iff.2 hq)
  capacity t := by rw [← occupancy_perm h]; exact hf.capacity t

theorem TEL_perm {I J : List Request} (h : I.Perm J) (S : Schedule) : TEL I S = TEL J S :=
  (h.map _).sum_nat

theorem totalCompletion_perm {I J : List Request} (h : I.Perm J) (S : Schedule) :
    totalCompletion I S = totalCompletion J S := (h.map _).sum_nat

theorem Burst.perm {M : Nat} {I J : List Request} (h : I.Perm J) (hb : Burst M I) :
    Burst M J where
  nodup := (h.map Request.id).nodup_iff.1 hb.nodup
  arrived q hq := hb.arrived q (h.mem_iff.2 hq)
  output_pos q hq := hb.output_pos q (h.mem_iff.2 hq)
  fits q hq := hb.fits q (h.mem_iff.2 hq)

/-! ### The schedule of an order -/

theorem listSchedule_placed {M : Nat} {l : List Request} (hn : (l.map Request.id).Nodup) :
    ∀ x ∈ placeAll M [] l, listSchedule M l x.1.id = x.2 := by
  refine startIn_eq ?_
  have h : ((placeAll M [] l).map Prod.fst).map Request.id = l.reverse.map Request.id := by
    rw [placeAll_fst]
  rw [List.map_map] at h
  have h2 : ((placeAll M [] l).map fun x => x.1.id) = l.reverse.map Request.id := h
  rw [h2, List.map_reverse]
  exact (List.reverse_perm _).nodup_iff.2 hn

/-- The list schedule of a burst is feasible. -/
theorem listSchedule_feasible {M : Nat} {l : List Request} (h : Burst M l) :
    Feasible M l (listSchedule M l) where
  release q hq := by rw [h.arrived q hq]; exact Nat.zero_le _
  capacity t := by
    have h1 := (placeAll_run (M := M) (P := []) trivial h.fits).capacity t
    rw [placedMemory_eq (listSchedule_placed h.nodup), placeAll_fst,
      occupancy_perm (List.reverse_perm l)] at h1
    exact h1

/-- The requests of a first part of the order start as if the others were not there. -/
theorem listSchedule_prefix {M : Nat} {l m : List Request} (hn : ((l ++ m).map Request.id).Nodup)
    {q : Request} (hq : q ∈ l) : start (listSchedule M (l ++ m)) q = start (listSchedule M l) q := by
  obtain ⟨Q, h1, h2⟩ := placeAll_eq M m (placeAll M [] l)
  simp only [start, listSchedule, placeAll_append, h1]
  refine startIn_append fun x hx he => ?_
  have h3 : x.1 ∈ m := by
    rw [← List.mem_reverse, ← h2]; exact List.mem_map_of_mem hx
  rw [List.map_append] at hn
  exact (List.nodup_append.1 hn).2.2 q.id (List.mem_map_of_mem hq) x.1.id
    (List.mem_map_of_mem h3) he.symm

theorem lastStart_placed {M : Nat} : ∀ {P : List (Request × Nat)}, ListRun M P →
    (∀ x ∈ P, x.2 ≤ lastStart P) ∧ ∀ t, (∀ x ∈ P, x.2 ≤ t) → lastStart P ≤ t
  | [], _ => ⟨fun _ hx => (by cases hx), fun t _ => Nat.zero_le t⟩
  | y :: P, h => by
    refine ⟨fun x hx => ?_, fun t ht => ht y (List.mem_cons_self ..)⟩
    have h1 := h.2.1
    rcases List.mem_cons.1 hx with hx1 | hx1
    · rw [hx1]; exact Nat.le_refl _
    · exact Nat.le_trans ((lastStart_placed h.1).1 x hx1) h1

/-- Head of line: a request starts no earlier than those ahead of it; in every earlier round in
which those had all started, it would not have fitted beside them: some round of its run would
have overflowed. -/
theorem listSchedule_head {M : Nat} {A B : List Request} {q : Request}
    (h : Burst M (A ++ q :: B)) :
    (∀ p ∈ A, start (listSchedule M (A ++ q :: B)) p ≤ start (listSchedule M (A ++ q :: B)) q) ∧
    ∀ t, (∀ p ∈ A, start (listSchedule M (A ++ q :: B)) p ≤ t) →
      t < start (listSchedule M (A ++ q :: B)) q → ∃ u, t ≤ u ∧ u < t + q.output ∧
        M < occupancy A (listSchedule M (A ++ q :: B)) u + (q.prompt + (u - t) + 1) := by
  have hn := h.nodup
  have e : A ++ q :: B = (A ++ [q]) ++ B := by simp
  rw [e] at hn h ⊢
  have hp : ∀ p ∈ A ++ [q], start (listSchedule M ((A ++ [q]) ++ B)) p =
      start (listSchedule M (A ++ [q])) p := fun p => listSchedule_prefix hn
  rw [List.map_append] at hn
  have hn1 := (List.nodup_append.1 hn).1
  have hrun := placeAll_run (M := M) (l := A ++ [q]) (P := []) trivial
    fun r hr => h.fits r (List.mem_append_left _ hr)
  have hS := listSchedule_placed (M := M) hn1
  have hrunA : ListRun M (placeAll M [] A) := placeAll_run (P := []) trivial
    fun r hr => h.fits r (by simp [hr])
  have hSA := listSchedule_placed (M := M) (l := A)
    (by rw [List.map_append] at hn1; exact (List.nodup_append.1 hn1).1)
  have hpA : ∀ p ∈ A, start (listSchedule M (A ++ [q])) p = start (listSchedule M A) p :=
    fun p => listSchedule_prefix hn1
  rw [placeAll_append] at hrun hS
  obtain ⟨_, h1, h2, h3⟩ := hrun
  have hq := hS (q, _) (List.mem_cons_self ..)
  have hmem : ∀ p ∈ A, ∃ k, (p, k) ∈ placeAll M [] A := fun p hpa => by
    have : p ∈ (placeAll M [] A).map Prod.fst := by rw [placeAll_fst]; exact List.mem_reverse.2 hpa
    obtain ⟨x, hx, rfl⟩ := List.mem_map.1 this
    exact ⟨x.2, hx⟩
  have hfst : ∀ x ∈ placeAll M [] A, x.1 ∈ A := fun x hx => by
    rw [← List.mem_reverse, ← placeAll_fst M]; exact List.mem_map_of_mem hx
  have hl := lastStart_placed hrunA
  rw [hp q (by simp)]
  have hq' : start (listSchedule M (A ++ [q])) q =
      firstFit M (placeAll M [] A) q (placedEnd (placeAll M [] A)) (lastStart (placeAll M [] A)) :=
    hq
  rw [hq']
  refine ⟨fun p hpa => ?_, fun t ht1 ht2 => ?_⟩
  · obtain ⟨k, hk⟩ := hmem p hpa
    rw [hp p (List.mem_append_left _ hpa), hpA p hpa, start, hSA _ hk]
    exact Nat.le_trans (hl.1 _ hk) h1
  · have h4 := h3 t (hl.2 t fun x hx => by
      have := ht1 x.1 (hfst x hx)
      rw [hp _ (List.mem_append_left _ (hfst x hx)), hpA _ (hfst x hx), start, hSA x hx] at this
      exact this) ht2
    simp only [Fits, Classical.not_forall] at h4
    obtain ⟨u, hu1, hu2⟩ := h4
    refine ⟨t + u, Nat.le_add_right .., by omega, ?_⟩
    have h5 : occupancy A (listSchedule M ((A ++ [q]) ++ B)) (t + u) =
        placedMemory (placeAll M [] A) (t + u) := by
      rw [placedMemory_eq (S := listSchedule M ((A ++ [q]) ++ B)), placeAll_fst,
        occupancy_perm (List.reverse_perm A)]
      intro x hx
      have := hp x.1 (List.mem_append_left _ (hfst x hx))
      rw [hpA _ (hfst x hx), start, start, hSA x hx] at this
      exact this
    rw [h5, Nat.add_sub_cancel_left]
    omega

end OnlineKvCache
