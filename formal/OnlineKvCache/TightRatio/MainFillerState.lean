module

public import OnlineKvCache.TightRatio.MainFiller

@[expose] public section

/-! # The invariant of the main and filler rule -/

namespace OnlineKvCache

/-- The invariant of a log of the rounds before `t`. -/
structure LogInv (M : Nat) (ready : Request → Nat) (I : List Request) (t : Nat)
    (log : List Entry) : Prop where
  /-- Entries are about ready requests and lie in the past. -/
  started : ∀ e ∈ log, e.start < t ∧ e.request ∈ I ∧ ready e.request ≤ e.start
  /-- Each request starts at most once. -/
  once : ∀ e ∈ log, ∀ f ∈ log, e.request = f.request → e = f
  /-- Mains run one at a time, and so do fillers. -/
  apart : ∀ e ∈ log, ∀ f ∈ log, e.main = f.main → e ≠ f → e.finish ≤ f.start ∨ f.finish ≤ e.start
  /-- A filler fitted under its main. -/
  host : ∀ f ∈ log, f.main = false →
    ∃ m ∈ log, m.main = true ∧ m.start ≤ f.start ∧ FitsUnder M m f.start f.request

end OnlineKvCache
