from __future__ import annotations

from pathlib import Path

import pytest

from evaluators.bounds import best_lower_bound
from evaluators.model import InputError
from evaluators.policies.online import play
from evaluators.policies.registry import policy_named
from evaluators.replay import replay
from evaluators.traces import read_trace

from .cli import FIXTURES, TRACES

ACCEPT = FIXTURES / "accept"
HEADER = "arrival_ms,prompt_tokens,output_tokens\n"


def test_arrivals_round_up_and_ids_are_row_numbers() -> None:
    trace = read_trace(ACCEPT / "small.trace.csv", 25)
    assert [(r.id, r.arrival, r.prompt, r.output) for r in trace.requests] == [
        (0, 0, 3, 4),
        (1, 2, 2, 2),
        (2, 3, 1, 1),
    ]


def test_further_columns_crlf_and_a_mark_at_the_start(tmp_path: Path) -> None:
    assert len(read_trace(ACCEPT / "extra-columns.trace.csv").requests) == 2
    path = tmp_path / "bom.csv"
    path.write_bytes(b"\xef\xbb\xbf" + HEADER.encode() + b"0,0,1")
    assert len(read_trace(path).requests) == 1


@pytest.mark.parametrize("value", [2**53, 10**16, 10**300])
def test_numbers_beyond_the_limit(value: int, tmp_path: Path) -> None:
    path = tmp_path / "big.csv"
    path.write_text(f"{HEADER}{value},1,1\n")
    with pytest.raises(InputError, match=r"line 2, column arrival_ms: must be .* from 0 to 2\^53"):
        read_trace(path)
    path.write_text(f"{HEADER}{2**53 - 1},1,1\n")
    assert read_trace(path, 1).requests[0].arrival == 2**53 - 1


def test_header_only(tmp_path: Path) -> None:
    path = tmp_path / "none.csv"
    path.write_text(HEADER)
    instance, dropped = read_trace(path).instance(10)
    assert (len(instance), dropped) == (0, 0)


@pytest.mark.slow
@pytest.mark.skipif(not TRACES.is_dir(), reason="the real traces are not beside this checkout")
@pytest.mark.parametrize(
    ("name", "rows", "dropped"),
    [
        ("azure_conv_2023", 19366, 0),
        ("azure_code_2023", 8819, 0),
        ("mooncake_conversation", 12031, 558),
        ("mooncake_synthetic", 3993, 299),
        ("arena_vtc", 1500, 0),
        ("sharegpt300_rtx4090_observed", 300, 0),
        ("vidur_arxiv_lengths", 20000, 0),
    ],
)
def test_every_real_trace_is_scheduled_exactly(name: str, rows: int, dropped: int) -> None:
    trace = read_trace(TRACES / f"{name}.csv")
    instance, gone = trace.instance(41408, drop_infeasible=True)
    assert (len(trace.requests), gone) == (rows, dropped)
    schedule = play(policy_named("fcfs").factory, instance)
    result = replay(instance, schedule)
    assert result.feasible
    bound = best_lower_bound(instance)
    assert instance.total_output <= bound.value <= result.tel
