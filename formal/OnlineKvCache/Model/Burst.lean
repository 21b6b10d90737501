module

public import OnlineKvCache.Model.Cost

@[expose] public section

/-! # Bursts

All requests arrive in round 0. Papers 2 and 3 allow an empty prompt in a burst. -/

namespace OnlineKvCache

/-- A valid burst at memory `M`: distinct labels, all arrivals in round 0, outputs at least one, and
each request fits alone. -/
structure Burst (M : Nat) (I : List Request) : Prop where
  /-- Labels are distinct. -/
  nodup : (I.map Request.id).Nodup
  /-- Every request is there in round 0. -/
  arrived : ∀ q ∈ I, q.arrival = 0
  /-- Something is generated. -/
  output_pos : ∀ q ∈ I, 1 ≤ q.output
  /-- Each request fits alone. -/
  fits : ∀ q ∈ I, q.peak ≤ M

end OnlineKvCache
