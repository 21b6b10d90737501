"""Paper 1's exact controls: the families of tight.md section 6, in the order of the artifact."""

from . import adversaries, basics, negative, tables

FAMILIES = (*basics.FAMILIES, *negative.FAMILIES, *adversaries.FAMILIES, *tables.FAMILIES)
