module

public import OnlineKvCache.Svf.Reserve
public import OnlineKvCache.Svf.Sqrt

@[expose] public section

/-! # The 1-bit rule with reservations is feasible and `O(T)` -/

namespace OnlineKvCache.Svf

/-- What scheduling by reservations guarantees of placed requests, the last one first. -/
def ReserveRun (M : Nat) (res : Request → Nat) : List (Request × Nat) → Prop
  | [] => True
  | x :: P => ReserveRun M res P ∧ lastStart P ≤ x.2 ∧ reservedAt res P x.2 + res x.1 ≤ M ∧
      ∀ t, lastStart P ≤ t → t < x.2 → M < reservedAt res P t + res x.1

theorem reservedAt_end {res : Request → Nat} : ∀ {P : List (Request × Nat)} {t : Nat},
    placedEnd P ≤ t → reservedAt res P t = 0
  | [], _, _ => rfl
  | x :: P, t, h => by
    unfold placedEnd at h
    rw [reservedAt, reservedAt_end (show placedEnd P ≤ t by omega), if_neg (by omega)]

theorem firstFree_spec {M : Nat} {res : Request → Nat} {P : List (Request × Nat)} {q : Request} :
    ∀ (fuel t : Nat), reservedAt res P (t + fuel) + res q ≤ M →
      t ≤ firstFree M res P q fuel t ∧
      reservedAt res P (firstFree M res P q fuel t) + res q ≤ M ∧
      ∀ u, t ≤ u → u < firstFree M res P q fuel t → M < reservedAt res P u + res q
  | 0, t, h => ⟨Nat.le_refl _, h, fun u h1 h2 => absurd h1 (Nat.not_le_of_lt h2)⟩
  | fuel + 1, t, h => by
    rw [firstFree]
    by_cases hf : reservedAt res P t + res q ≤ M
    · rw [if_pos hf]
      exact ⟨Nat.le_refl _, hf, fun u h1 h2 => absurd h1 (Nat.not_le_of_lt h2)⟩
    · rw [if_neg hf]
      obtain ⟨h1, h2, h3⟩ := firstFree_spec fuel (t + 1) (by
        rw [show t + 1 + fuel = t + (fuel + 1) by omega]; exact h)
      refine ⟨by omega, h2, fun u hu1 hu2 => ?_⟩
      rcases Nat.lt_or_ge t u with h4 | h4
      · exact h3 u h4 hu2
      · obtain rfl : u = t := by omega
        omega

theorem reserveAll_run {M : Nat} {res : Request → Nat} : ∀ {l : List Request}
    {P : List (Request × Nat)}, ReserveRun M res P → (∀ q ∈ l, res q ≤ M) →
    ReserveRun M res (reserveAll M res P l)
  | [], _, h, _ => h
  | q :: l, P, h, hp => by
    have h0 := hp q (List.mem_cons_self ..)
    have h1 := firstFree_spec (M := M) (res := res) (P := P) (q := q) (placedEnd P) (lastStart P)
      (by rw [reservedAt_end (Nat.le_add_left ..), Nat.zero_add]; exact h0)
    exact reserveAll_run (l := l)
      (P := (q, firstFree M res P q (placedEnd P) (lastStart P)) :: P) ⟨h, h1⟩
      fun r hr => hp r (List.mem_cons_of_mem _ hr)

theorem reserveAll_fst (M : Nat) (res : Request → Nat) : ∀ (l : List Request)
    (P : List (Request × Nat)),
    (reserveAll M res P l).map Prod.fst = l.reverse ++ P.map Prod.fst
  | [], P => rfl
  | q :: l, P => by
    rw [reserveAll, reserveAll_fst M res l, List.reverse_cons, List.append_assoc]; rfl

theorem le_lastStart {M : Nat} {res : Request → Nat} : ∀ {P : List (Request × Nat)},
    ReserveRun M res P → ∀ x ∈ P, x.2 ≤ lastStart P
  | [], _, _, hx => by cases hx
  | y :: P, h, x, hx => by
    rcases List.mem_cons.1 hx with hx1 | hx1
    · rw [hx1]; exact Nat.le_refl _
    · exact Nat.le_trans (le_lastStart h.1 x hx1) h.2.1

/-- After the last start, reservations only end. -/
theorem reservedAt_anti {res : Request → Nat} {k t : Nat} (hk : k ≤ t) :
    ∀ {P : List (Request × Nat)}, (∀ x ∈ P, x.2 ≤ k) → reservedAt res P t ≤ reservedAt res P k
  | [], _ => Nat.le_refl _
  | x :: P, h => by
    have ih := reservedAt_anti (res := res) hk fun y hy => h y (List.mem_cons_of_mem _ hy)
    have h1 := h x (List.mem_cons_self ..)
    rw [reservedAt, reservedAt]
    refine Nat.add_le_add ?_ ih
    split <;> split <;> omega

theorem ReserveRun.capacity {M : Nat} {res : Request → Nat} : ∀ {P : List (Request × Nat)},
    ReserveRun M res P → ∀ t, reservedAt res P t ≤ M
  | [], _, _ => Nat.zero_le _
  | x :: P, h, t => by
    have h1 := h.1.capacity t
    obtain ⟨h2, h3, h4, _⟩ := h
    rw [reservedAt]
    split
    · rename_i ha
      have := reservedAt_anti (res := res) ha.1 fun y hy =>
        Nat.le_trans (le_lastStart h2 y hy) h3
      omega
    · omega

theorem placedMemory_le_reserved {res : Request → Nat} (t : Nat) : ∀ {P : List (Request × Nat)},
    (∀ x ∈ P, x.1.peak ≤ res x.1) → placedMemory P t ≤ reservedAt res P t
  | [], _ => Nat.le_refl _
  | x :: P, h => by
    have ih := placedMemory_le_reserved (res := res) t fun y hy => h y (List.mem_cons_of_mem _ hy)
    have h1 := h x (List.mem_cons_self ..)
    unfold Request.peak at h1
    rw [placedMemory, reservedAt]
    refine Nat.add_le_add ?_ ih
    split <;> omega

/-- While the last request waits, the reservations leave less than the largest one. -/
theorem ReserveRun.held {M R t : Nat} {res : Request → Nat} (hM : R ≤ M) :
    ∀ {P : List (Request × Nat)} {x : Request × Nat}, ReserveRun M res (x :: P) →
    (∀ y ∈ x :: P, res y.1 ≤ R) → t < x.2 → M - R + 1 ≤ reservedAt res P t := by
  intro P
  induction P with
  | nil =>
    intro x h hp ht
    have h1 := h.2.2.2 t (Nat.zero_le _) ht
    have h2 := hp x (List.mem_cons_self ..)
    simp only [reservedAt] at h1
    omega
  | cons z P ih =>
    intro x h hp ht
    obtain ⟨h1, _, _, h3⟩ := h
    rcases Nat.lt_or_ge t z.2 with h4 | h4
    · have := ih h1 (fun y hy => hp y (List.mem_cons_of_mem _ hy)) h4
      rw [reservedAt]
      omega
    · have h5 := h3 t h4 ht
      have h6 := hp x (List.mem_cons_self ..)
      omega

theorem reservedAt_eq (res : Request → Nat) (t : Nat) : ∀ P : List (Request × Nat),
    reservedAt res P t =
      (P.map fun x => if x.2 ≤ t ∧ t < x.2 + x.1.output then res x.1 else 0).sum
  | [] => rfl
  | x :: P => by rw [reservedAt, reservedAt_eq res t P, List.map_cons, List.sum_cons]

theorem ReserveRun.wait {M R : Nat} {res : Request → Nat} (hM : R ≤ M)
    {P : List (Request × Nat)} {x : Request × Nat} (h : ReserveRun M res (x :: P))
    (hp : ∀ y ∈ x :: P, res y.1 ≤ R) :
    (M - R + 1) * x.2 ≤ (P.map fun y => res y.1 * y.1.output).sum := by
  have h1 : ((List.range x.2).map fun _ => M - R + 1).sum ≤ ((List.range x.2).map fun t =>
      (P.map fun y => if y.2 ≤ t ∧ t < y.2 + y.1.output then res y.1 else 0).sum).sum :=
    sum_map_le_sum_map fun t ht => by
      rw [← reservedAt_eq]; exact h.held hM hp (List.mem_range.1 ht)
  rw [sum_map_const, List.length_range, Nat.mul_comm, sum_map_comm] at h1
  refine Nat.le_trans h1 (sum_map_le_sum_map fun y _ => ?_)
  have h2 := count_interval 0 y.2 y.1.output x.2
  simp only [Nat.zero_add] at h2
  have h3 : ((List.range x.2).map fun t =>
      if y.2 ≤ t ∧ t < y.2 + y.1.output then res y.1 else 0).sum =
      res y.1 * ((List.range x.2).map fun t =>
        if y.2 ≤ t ∧ t < y.2 + y.1.output then 1 else 0).sum := by
    rw [← sum_map_mul]
    exact sum_map_congr fun t _ => by split <;> simp
  rw [h3]
  exact Nat.mul_le_mul_left _ (by omega)

theorem ReserveRun.waits {M R : Nat} {res : Request → Nat} (hM : R ≤ M) :
    ∀ {P : List (Request × Nat)}, ReserveRun M res P → (∀ y ∈ P, res y.1 ≤ R) →
    (M - R + 1) * (P.map Prod.snd).sum ≤
      beforeSum ((P.map Prod.fst).reverse.map fun q => res q * q.output)
  | [], _, _ => by simp
  | x :: P, h, hp => by
    have ih := ReserveRun.waits hM h.1 fun y hy => hp y (List.mem_cons_of_mem _ hy)
    have h1 := h.wait hM hp
    have h2 : ((P.map Prod.fst).reverse.map fun q => res q * q.output).sum =
        (P.map fun y => res y.1 * y.1.output).sum := by
      rw [List.map_reverse, (List.reverse_perm _).sum_nat, List.map_map]; rfl
    rw [List.map_cons, List.sum_cons, List.map_cons, List.reverse_cons, List.map_append,
      List.map_cons, List.map_nil, beforeSum_append, h2, Nat.mul_add]
    omega

theorem reserve_placed {M : Nat} {res : Request → Nat} {l : List Request}
    (hn : (l.map Request.id).Nodup) :
    ∀ x ∈ reserveAll M res [] l, reserveSchedule M res l x.1.id = x.2 := by
  refine startIn_eq ?_
  have h : ((reserveAll M res [] l).map Prod.fst).map Request.id = l.reverse.map Request.id := by
    rw [reserveAll_fst, List.map_nil, List.append_nil]
  rw [List.map_map] at h
  have h2 : ((reserveAll M res [] l).map fun x => x.1.id) = l.reverse.map Request.id := h
  rw [h2, List.map_reverse]
  exact (List.reverse_perm _).nodup_iff.2 hn

theorem reserve_mem {M : Nat} {res : Request → Nat} {l : List Request} {x : Request × Nat}
    (hx : x ∈ reserveAll M res [] l) : x.1 ∈ l := by
  have h := List.mem_map_of_mem (f := Prod.fst) hx
  rw [reserveAll_fst, List.map_nil, List.append_nil] at h
  exact List.mem_reverse.1 h

/-- Reservations of at least the peaks keep the memory. -/
theorem reserve_feasible {M : Nat} {res : Request → Nat} {l : List Request} (h : Burst M l)
    (hr : ∀ q ∈ l, q.peak ≤ res q ∧ res q ≤ M) : Feasible M l (reserveSchedule M res l) where
  release q hq := by rw [h.arrived q hq]; exact Nat.zero_le _
  capacity t := by
    have h1 := (reserveAll_run (M := M) (res := res) (P := []) trivial
      fun q hq => (hr q hq).2).capacity t
    have h2 := placedMemory_le_reserved (res := res) (P := reserveAll M res [] l) t
      fun x hx => (hr x.1 (reserve_mem hx)).1
    rw [placedMemory_eq (reserve_placed h.nodup), reserveAll_fst, List.map_nil, List.append_nil,
      occupancy_perm (List.reverse_perm l)] at h2
    exact Nat.le_trans h2 h1

theorem reserve_sum {M R : Nat} {res : Request → Nat} {l : List Request} (h : Burst M l)
    (hM : R ≤ M) (hr : ∀ q ∈ l, res q ≤ R) :
    (M - R + 1) * totalCompletion l (reserveSchedule M res l) ≤
      (M - R + 1) * (l.map Request.output).sum + beforeSum (l.map fun q => res q * q.output) := by
  have hrun := reserveAll_run (M := M) (res := res) (l := l) (P := []) trivial
    fun q hq => Nat.le_trans (hr q hq) hM
  have h1 := hrun.waits hM fun y hy => hr _ (reserve_mem hy)
  rw [reserveAll_fst, List.map_nil, List.append_nil, List.reverse_reverse] at h1
  have h3 : ((reserveAll M res [] l).map Prod.snd).sum =
      (l.map (start (reserveSchedule M res l))).sum := by
    have h4 : ((reserveAll M res [] l).map Prod.snd) =
        ((reserveAll M res [] l).map Prod.fst).map (start (reserveSchedule M res l)) := by
      rw [List.map_map]
      exact List.map_congr_left fun x hx => (reserve_placed h.nodup x hx).symm
    rw [h4, reserveAll_fst, List.map_nil, List.append_nil, List.map_reverse,
      (List.reverse_perm _).sum_nat]
  have h5 : totalCompletion l (reserveSchedule M res l) =
      (l.map (start (reserveSchedule M res l))).sum + (l.map Request.output).sum :=
    sum_map_add _ _ l
  rw [h3] at h1
  rw [h5, Nat.mul_add]
  omega

end OnlineKvCache.Svf
