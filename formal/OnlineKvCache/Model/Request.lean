module

@[expose] public section

/-! # Requests and instances

Time is discrete: rounds, arrivals, prompts and outputs are natural numbers. -/

namespace OnlineKvCache

/-- A labelled request: it arrives in round `arrival` with a prompt of `prompt` tokens and needs
`output` rounds, one generated token in each. -/
structure Request where
  /-- Label, distinct within an instance. -/
  id : Nat
  /-- The round in which the request is revealed; it may start in that round. -/
  arrival : Nat
  /-- Tokens held before the first generated token. -/
  prompt : Nat
  /-- Tokens to generate, one a round. -/
  output : Nat

deriving instance DecidableEq for Request
deriving instance Repr for Request

/-- Memory held in the last active round: prompt and all generated tokens. -/
def Request.peak (q : Request) : Nat := q.prompt + q.output

/-- A valid finite instance at memory `M`: distinct labels, prompt and output at least one, and
each request fits alone. -/
structure Valid (M : Nat) (I : List Request) : Prop where
  /-- Labels are distinct. -/
  nodup : (I.map Request.id).Nodup
  /-- Prompts are not empty. -/
  prompt_pos : ∀ q ∈ I, 1 ≤ q.prompt
  /-- Something is generated. -/
  output_pos : ∀ q ∈ I, 1 ≤ q.output
  /-- Each request fits alone. -/
  fits : ∀ q ∈ I, q.peak ≤ M

end OnlineKvCache
