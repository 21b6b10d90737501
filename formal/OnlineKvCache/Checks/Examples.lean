module

public import OnlineKvCache.Online.Scheduler

@[expose] public section

/-! # Instances, schedules and schedulers that the checks speak about -/

namespace OnlineKvCache.Checks

/-- A long and a short request. -/
abbrev pair : List Request := [⟨0, 0, 2, 2⟩, ⟨1, 1, 2, 1⟩]

/-- Two requests of one token each. -/
abbrev twins : List Request := [⟨0, 0, 1, 1⟩, ⟨1, 0, 1, 1⟩]

/-- A long and a short request, all arrivals shifted by `d`. -/
abbrev shifted (d : Nat) : List Request := [⟨0, d, 1, 3⟩, ⟨1, d + 1, 1, 1⟩]

/-- Long at once, short after it. -/
abbrev inOrder (d : Nat) : Schedule := fun i => if i = 0 then d else d + 3

/-- Both one round later. -/
abbrev together (d : Nat) : Schedule := fun _ => d + 1

/-- One request. -/
abbrev one : List Request := [⟨0, 0, 1, 1⟩]

/-- The same and a later one. -/
abbrev two : List Request := [⟨0, 0, 1, 1⟩, ⟨1, 3, 1, 1⟩]

/-- Starts every request when the last request of the instance arrives: it looks into the future. -/
noncomputable def waitsForLast : Scheduler := fun I _ =>
  some (I.foldl (fun m q => max m q.arrival) 0)

/-- Never starts anything. -/
def idle : Scheduler := fun _ _ => none

/-- Starts every request on arrival, whatever the memory. -/
noncomputable def eager : Scheduler := fun I i =>
  (I.find? fun q => decide (q.id = i)).map Request.arrival

end OnlineKvCache.Checks
