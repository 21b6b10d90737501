"""The works that paper 1 rests on or is compared with: what each proves, and in which model.

Only what can be read in the works' public abstracts and in the papers' own text is stated, in our
words.  `identifier` is empty where none is known to us; such an entry says so in `note`.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import cast

from ..artifacts.canonical import Json, digest, dumps, read_object
from ..artifacts.schema import check
from ..model import InputError
from ..verdict import Layer

SOURCES_SCHEMA = "onlinekv/source-ledger/v1"
SOURCES_PATH = "output/tight-online-kv-cache-scheduling/sources.json"
GENERATOR = "python scripts/bootstrap_online_kv_cache_sources.py"


@dataclass(frozen=True, slots=True)
class Source:
    """One work: identifier, what it proves, its model (by axis), and how it differs from ours."""

    key: str
    authors: str
    title: str
    identifier: str
    arrivals: str
    lengths: str
    interruption: str
    objective: str
    proves: str
    differs: str
    note: str = ""


SOURCES = (
    Source(
        "paper-1",
        "(author names are not in the text that we hold)",
        "A Tight Linear Deterministic Competitive Ratio for Fully Online KV-Cache Scheduling",
        "",
        "adversarial",
        "known on arrival",
        "none",
        "TEL",
        "n/12 <= sup over M of the best deterministic ratio <= n, lower bound at M = 2(n-1)n",
        "the model of this repository; we prove 2n/5 at the same memory, n/2 and 3n/5 at linear "
        "memory, p n/q for every p/q below 0.618, and an upper bound of (2n+9)/3",
        "no identifier known to us",
    ),
    Source(
        "jaillet-2025",
        "Patrick Jaillet, Jiashuo Jiang, Konstantina Mellou, Marco Molinaro, Chara Podimata, "
        "Zijie Zhou",
        "Online Scheduling for LLM Inference with KV Cache Constraints",
        "arXiv:2502.07115",
        "adversarial; also all at once",
        "known on arrival",
        "none",
        "TEL",
        "no deterministic online algorithm has a constant ratio (order sqrt n); a hindsight "
        "integer program; a shortest-first rule with a constant ratio in special cases",
        "counts memory after the round where we count at its start: the same values, one later",
    ),
    Source(
        "feng-2026",
        "Yiding Feng, Zonghan Yang, Yuhao Zhang",
        "Competitive Non-Clairvoyant KV-Cache Scheduling for LLM Inference",
        "arXiv:2601.22996",
        "all at once",
        "unknown until completion; equal prompts",
        "kill and restart",
        "total completion time",
        "61.92-competitive by geometric slicing, 32 for large memory",
        "kills are allowed and nothing arrives later; neither holds in paper 1",
    ),
    Source(
        "paper-3",
        "(author names are not in the text that we hold)",
        "Non-clairvoyant KV-cache scheduling with regime-aware routing (paper 3)",
        "",
        "all at once; also online",
        "unknown until completion",
        "kill and restart",
        "total completion time",
        "a constant ratio for arbitrary prompts by routing between three regimes",
        "a ratio for total completion says nothing about TEL: the sum of arrivals is unbounded",
        "no identifier known to us",
    ),
    Source(
        "kong-2026",
        "Li Kong, Qi Qi, Yinyu Ye, Zijie Zhou",
        "Geometry-Aware Online Scheduling for LLM Serving: From Theoretical Bound to System "
        "Practice",
        "arXiv:2606.22327",
        "all at once; also Poisson",
        "known, or one bit of it",
        "none in the model",
        "TEL",
        "smallest volume first has ratio 1 + 2/(1 - alpha) for bursts (paper 2)",
        "no adversarial arrivals; needs the exact look-ahead and the head-of-line rule to be true",
    ),
    Source(
        "wang-2025",
        "Meixuan Wang, Yinyu Ye, Zijie Zhou",
        "LLM Serving Optimization with Variable Prefill and Decode Lengths",
        "arXiv:2508.06133",
        "all at once",
        "known",
        "none",
        "TEL",
        "the offline problem is NP-hard; first-come and shortest-first are unbounded; a constant "
        "factor by a batch metric",
        "offline: nothing arrives later",
    ),
    Source(
        "geng-2025",
        "Yutong Geng, Enze Sun, Zonghan Yang, Yuhao Zhang",
        "Online Flow Time Minimization: Tight Bounds for Non-Preemptive Algorithms",
        "arXiv:2511.03485",
        "adversarial",
        "known on arrival",
        "none; also kill and restart",
        "total flow time on m machines",
        "calls the linear lower bound for one machine classical; n/m^2 + sqrt(n/m) for m machines",
        "no memory: a request occupies one machine; the mechanism of paper 1's lower bound is this "
        "one with requests that exclude each other",
    ),
)


def build_sources() -> bytes:
    """Return the canonical bytes of the source ledger."""
    document: dict[str, Json] = {
        "schema": SOURCES_SCHEMA,
        "claim": "tight-online-kv-cache-scheduling",
        "generator": GENERATOR,
        "sources": [cast(Json, asdict(source)) for source in SOURCES],
    }
    return dumps({**document, "digest": digest(document)})


def verify_sources(path: Path) -> Layer:
    """Check the ledger's schema and digest, and that it is what this module says, byte for byte.

    Raises InputError if the file is missing or is not JSON of the profile.
    """
    layer = Layer("sources", SOURCES_PATH)
    with layer.timed():
        document = read_object(path)
        try:
            check(document, SOURCES_SCHEMA)
            layer.expect(True, "")
        except InputError as error:
            layer.expect(False, str(error))
        found = document.get("digest")
        layer.expect(found == digest(document), f"digest: must be {digest(document)}, got {found}")
        layer.expect(path.read_bytes() == build_sources(), "file: differs from its generator")
    return layer
