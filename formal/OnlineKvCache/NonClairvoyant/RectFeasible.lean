module

public import OnlineKvCache.NonClairvoyant.RectMemory
public import OnlineKvCache.NonClairvoyant.RectAge

public section

/-! # The rectangle strip keeps within the memory -/

namespace OnlineKvCache

theorem zip_le_usedWidth {f : Request × RectEntry → Nat} : ∀ {I : List Request} {st : RectState},
    (∀ (i : Nat) (q : Request) (e : RectEntry), I[i]? = some q → st[i]? = some e →
      f (q, e) ≤ if e.isActive then e.job.width else 0) →
    ((I.zip st).map f).sum ≤ usedWidth st
  | [], st, _ => by simp
  | q :: I, [], _ => by simp
  | q :: I, e :: st, h => by
    have ih := zip_le_usedWidth (f := f) (I := I) (st := st) fun i q e hq he =>
      h (i + 1) q e (by simpa using hq) (by simpa using he)
    have h0 := h 0 q e rfl rfl
    rw [List.zip_cons_cons, List.map_cons, List.sum_cons, usedWidth]
    omega

theorem rectMemory_le {M : Nat} {I : List Request} {job : Request → RectJob}
    (hg : ∀ j ∈ I.map job, RectGood j)
    (hm : ∀ q ∈ I, ∀ x, x < (job q).need → q.prompt + x + 1 ≤ (job q).width) (t : Nat) :
    rectMemory I (rectState M (I.map job) t) t ≤ M := by
  refine Nat.le_trans (zip_le_usedWidth fun i q e hq he => ?_)
    (rectState_inv M (I.map job) t).1.fits
  obtain ⟨h1, h2⟩ := rect_age hg t i e he
  have hj : e.job = job q := by
    rw [List.getElem?_map, hq] at h1
    exact (Option.some.inj h1).symm
  obtain ⟨j, p⟩ := e
  cases p with
  | pending r => exact Nat.zero_le _
  | done c => exact Nat.zero_le _
  | active r b =>
    obtain ⟨_, _, h3, _⟩ : 2 ^ r < 2 * j.need ∧ b ≤ t ∧ t - b < j.need ∧ t - b < 2 ^ r := h2
    have hj' : j = job q := hj
    subst hj'
    exact hm q (List.mem_of_getElem? hq) (t - b) h3

theorem rect_prompt_heavy_memory {M : Nat} {I : List Request} (ho : ∀ q ∈ I, 1 ≤ q.output)
    (hs : ∀ q ∈ I, 1 ≤ q.prompt) (t : Nat) :
    rectMemory I (rectState M (I.map promptHeavyJob) t) t ≤ M := by
  refine rectMemory_le (fun j hj => ?_) (fun q hq x hx => ?_) t
  · obtain ⟨q, hq, rfl⟩ := List.mem_map.1 hj
    have h1 := hs q hq
    refine ⟨?_, ho q hq, fun h => ?_⟩
    · show 1 ≤ 2 * q.prompt
      omega
    · have h2 : q.prompt = 0 := Option.some.inj h
      omega
  · have h1 : x < min q.output q.prompt := hx
    show q.prompt + x + 1 ≤ 2 * q.prompt
    omega

theorem rect_large_memory {M : Nat} {I : List Request} (ho : ∀ q ∈ I, 1 ≤ q.output)
    (hf : ∀ q ∈ I, q.peak ≤ M) (t : Nat) :
    rectMemory I (rectState M (I.map (largeJob M)) t) t ≤ M := by
  refine rectMemory_le (fun j hj => ?_) (fun q hq x hx => ?_) t
  · obtain ⟨q, hq, rfl⟩ := List.mem_map.1 hj
    refine ⟨?_, ho q hq, fun h => by cases h⟩
    have h1 := ho q hq
    have h2 := hf q hq
    unfold Request.peak at h2
    show 1 ≤ M
    omega
  · have h1 : x < q.output := hx
    have h2 := hf q hq
    unfold Request.peak at h2
    show q.prompt + x + 1 ≤ M
    omega

end OnlineKvCache
