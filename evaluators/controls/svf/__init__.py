"""Paper 2's counterexamples: the families of svf.md sections 1 to 4, in the artifact's order."""

from . import one_bit, orders, relaxations, starvation, waiting

FAMILIES = (
    *waiting.FAMILIES,
    *relaxations.FAMILIES,
    *orders.FAMILIES,
    *one_bit.FAMILIES,
    *starvation.FAMILIES,
)
