module

public import OnlineKvCache.Svf.Run
public import OnlineKvCache.Svf.Volume
public import OnlineKvCache.Basic.Cover

public section

/-! # The certificate of a wait

While a request waits, the requests ahead of it hold, by their peaks, all memory but the largest
peak: otherwise the head of the line would start. Each of them does so for as many rounds as it has
output tokens. -/

namespace OnlineKvCache

/-- Memory in a later round is at most the peaks of the requests that are active now, if all have
started. -/
theorem placedMemory_le_peaks {t t' : Nat} (ht : t ≤ t') : ∀ {P : List (Request × Nat)},
    (∀ x ∈ P, x.2 ≤ t) → placedMemory P t' ≤
      (P.map fun x => if x.2 ≤ t ∧ t < x.2 + x.1.output then x.1.peak else 0).sum
  | [], _ => Nat.le_refl _
  | x :: P, h => by
    have ih := placedMemory_le_peaks ht fun y hy => h y (List.mem_cons_of_mem _ hy)
    have h1 := h x (List.mem_cons_self ..)
    rw [placedMemory, List.map_cons, List.sum_cons]
    have h2 : (if x.2 ≤ t' ∧ t' < x.2 + x.1.output then x.1.prompt + (t' - x.2) + 1 else 0) ≤
        if x.2 ≤ t ∧ t < x.2 + x.1.output then x.1.peak else 0 := by
      unfold Request.peak
      split <;> split <;> omega
    omega

/-- In each round in which the last request of a run waits, the others that are active hold, by
their peaks, more than the memory less the largest peak. -/
theorem ListRun.peaks {M Pk t : Nat} (hM : Pk ≤ M) : ∀ {P : List (Request × Nat)}
    {x : Request × Nat}, ListRun M (x :: P) → (∀ y ∈ x :: P, y.1.peak ≤ Pk) → t < x.2 →
    M - Pk + 1 ≤ (P.map fun x => if x.2 ≤ t ∧ t < x.2 + x.1.output then x.1.peak else 0).sum := by
  intro P
  induction P with
  | nil =>
    intro x h hp ht
    obtain ⟨_, _, _, h3⟩ := h
    have h4 := hp x (List.mem_cons_self ..)
    exact absurd (fits_end (Nat.le_trans h4 hM) (Nat.zero_le _)) (h3 t (Nat.zero_le _) ht)
  | cons z P ih =>
    intro x h hp ht
    obtain ⟨h1, _, _, h3⟩ := h
    rcases Nat.lt_or_ge t z.2 with h4 | h4
    · have := ih h1 (fun y hy => hp y (List.mem_cons_of_mem _ hy)) h4
      rw [List.map_cons, List.sum_cons]
      omega
    · have h5 := h3 t h4 ht
      simp only [Fits, Classical.not_forall] at h5
      obtain ⟨u, hu1, hu2⟩ := h5
      have h6 := placedMemory_le_peaks (Nat.le_add_right t u) (P := z :: P) fun y hy =>
        Nat.le_trans ((lastStart_placed h1).1 y hy) h4
      have h7 := hp x (List.mem_cons_self ..)
      unfold Request.peak at h7
      omega

/-- The wait of the last request of a run. -/
theorem ListRun.wait {M Pk : Nat} (hM : Pk ≤ M) {P : List (Request × Nat)} {x : Request × Nat}
    (h : ListRun M (x :: P)) (hp : ∀ y ∈ x :: P, y.1.peak ≤ Pk) :
    (M - Pk + 1) * x.2 ≤ (P.map fun y => y.1.peak * y.1.output).sum := by
  have h1 : ((List.range x.2).map fun _ => M - Pk + 1).sum ≤ ((List.range x.2).map fun t =>
      (P.map fun y => if y.2 ≤ t ∧ t < y.2 + y.1.output then y.1.peak else 0).sum).sum :=
    sum_map_le_sum_map fun t ht => h.peaks hM hp (List.mem_range.1 ht)
  rw [sum_map_const, List.length_range, Nat.mul_comm, sum_map_comm] at h1
  refine Nat.le_trans h1 (sum_map_le_sum_map fun y _ => ?_)
  have h2 := count_interval 0 y.2 y.1.output x.2
  simp only [Nat.zero_add] at h2
  have h3 : ((List.range x.2).map fun t =>
      if y.2 ≤ t ∧ t < y.2 + y.1.output then y.1.peak else 0).sum =
      y.1.peak * ((List.range x.2).map fun t =>
        if y.2 ≤ t ∧ t < y.2 + y.1.output then 1 else 0).sum := by
    rw [← sum_map_mul]
    exact sum_map_congr fun t _ => by split <;> simp
  rw [h3]
  exact Nat.mul_le_mul_left _ (by omega)

/-- All waits of a run together. -/
theorem ListRun.waits {M Pk : Nat} (hM : Pk ≤ M) : ∀ {P : List (Request × Nat)}, ListRun M P →
    (∀ y ∈ P, y.1.peak ≤ Pk) → (M - Pk + 1) * (P.map Prod.snd).sum ≤
      beforeSum ((P.map Prod.fst).reverse.map fun q => q.peak * q.output)
  | [], _, _ => by simp
  | x :: P, h, hp => by
    have ih := ListRun.waits hM h.1 fun y hy => hp y (List.mem_cons_of_mem _ hy)
    have h1 := h.wait hM hp
    have h2 : ((P.map Prod.fst).reverse.map fun q => q.peak * q.output).sum =
        (P.map fun y => y.1.peak * y.1.output).sum := by
      rw [List.map_reverse, (List.reverse_perm _).sum_nat, List.map_map]; rfl
    rw [List.map_cons, List.sum_cons, List.map_cons, List.reverse_cons, List.map_append,
      List.map_cons, List.map_nil, beforeSum_append, h2, Nat.mul_add]
    omega

/-- **The certificate.** Up to the largest peak, memory times the wait of a request is at most the
sum, over the requests ahead of it, of peak times output. -/
theorem certificate {M Pk : Nat} {A B : List Request} {q : Request} (h : Burst M (A ++ q :: B))
    (hM : Pk ≤ M) (hp : ∀ p ∈ A ++ [q], p.peak ≤ Pk) :
    (M - Pk + 1) * start (listSchedule M (A ++ q :: B)) q ≤
      (A.map fun p => p.peak * p.output).sum := by
  have hn := h.nodup
  have e : A ++ q :: B = (A ++ [q]) ++ B := by simp
  rw [e] at hn h ⊢
  rw [listSchedule_prefix hn (by simp)]
  rw [List.map_append] at hn
  have hrun := placeAll_run (M := M) (l := A ++ [q]) (P := []) trivial
    fun r hr => Nat.le_trans (hp r hr) hM
  have hS := listSchedule_placed (M := M) (List.nodup_append.1 hn).1
  have hfst : ∀ x ∈ placeAll M [] (A ++ [q]), x.1 ∈ A ++ [q] := fun x hx => by
    rw [← List.mem_reverse, ← placeAll_fst M]; exact List.mem_map_of_mem hx
  rw [placeAll_append] at hrun hS hfst
  have hq := hS (q, firstFit M (placeAll M [] A) q (placedEnd (placeAll M [] A))
    (lastStart (placeAll M [] A))) (List.mem_cons_self ..)
  have h1 := ListRun.wait (x := (q, firstFit M (placeAll M [] A) q (placedEnd (placeAll M [] A))
    (lastStart (placeAll M [] A)))) (P := placeAll M [] A) hM hrun fun y hy => hp _ (hfst y hy)
  have h2 : ((placeAll M [] A).map fun y => y.1.peak * y.1.output).sum =
      (A.map fun p => p.peak * p.output).sum := by
    have : ((placeAll M [] A).map fun y => y.1.peak * y.1.output) =
        ((placeAll M [] A).map Prod.fst).map fun p => p.peak * p.output := by
      rw [List.map_map]; rfl
    rw [this, placeAll_fst, List.map_reverse, (List.reverse_perm _).sum_nat]
  rw [h2] at h1
  exact Nat.le_trans (Nat.le_of_eq (congrArg _ hq)) h1

/-- All waits of a list schedule together, and the total completion time. -/
theorem certificate_sum {M Pk : Nat} {l : List Request} (h : Burst M l) (hM : Pk ≤ M)
    (hp : ∀ p ∈ l, p.peak ≤ Pk) :
    (M - Pk + 1) * totalCompletion l (listSchedule M l) ≤
      (M - Pk + 1) * (l.map Request.output).sum + beforeSum (l.map twiceVolume) := by
  have hrun := placeAll_run (M := M) (l := l) (P := []) trivial h.fits
  have hfst : ∀ x ∈ placeAll M [] l, x.1 ∈ l := fun x hx => by
    rw [← List.mem_reverse, ← placeAll_fst M]; exact List.mem_map_of_mem hx
  have h1 := hrun.waits hM fun y hy => hp _ (hfst y hy)
  rw [placeAll_fst, List.reverse_reverse] at h1
  have h2 := beforeSum_map_le (l := l) fun q _ => peak_mul_output_le q
  have h3 : ((placeAll M [] l).map Prod.snd).sum = (l.map (start (listSchedule M l))).sum := by
    have h4 : ((placeAll M [] l).map Prod.snd) =
        ((placeAll M [] l).map Prod.fst).map (start (listSchedule M l)) := by
      rw [List.map_map]
      exact List.map_congr_left fun x hx => (listSchedule_placed h.nodup x hx).symm
    rw [h4, placeAll_fst, List.map_reverse, (List.reverse_perm _).sum_nat]
  have h5 : totalCompletion l (listSchedule M l) =
      (l.map (start (listSchedule M l))).sum + (l.map Request.output).sum := sum_map_add _ _ l
  rw [h3] at h1
  rw [h5, Nat.mul_add]
  omega

end OnlineKvCache
