from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from itertools import islice
from pathlib import Path
from statistics import median

import pytest

from evaluators.commands.compare import generate
from evaluators.generators import (
    generate_requests,
    law,
    normal,
    poisson_milliseconds,
    raw_bits,
    trace_bytes,
)
from evaluators.model import InputError
from evaluators.traces import read_trace

N = 4000


def lengths(text: str, seed: int = 0, count: int = N, least: int = 1) -> list[int]:
    return law(text, "outputs", least).lengths(raw_bits(seed, 2), count)


def test_the_bits_and_the_rows_are_these_on_every_machine() -> None:
    assert list(islice(raw_bits(0, 0), 2)) == [17394127715520444142, 5835390491061343638]
    laws = law("lognormal:200:1:4096", "prompts", 0), law("geometric:200", "outputs", 1)
    rows = generate_requests(4, Fraction(5, 2), *laws, 1)
    assert rows == [(143, 111, 291), (841, 96, 610), (1017, 326, 173), (1472, 210, 68)]


def test_streams_are_independent_of_each_other() -> None:
    one = generate_requests(
        50, Fraction(3), law("constant:7", "p", 0), law("geometric:9", "o", 1), 5
    )
    two = generate_requests(50, None, law("uniform:0:9", "p", 0), law("geometric:9", "o", 1), 5)
    assert [row[2] for row in one] == [row[2] for row in two]
    assert {row[1] for row in one} == {7}
    assert {row[0] for row in two} == {0}
    assert one != generate_requests(
        50, Fraction(3), law("constant:7", "p", 0), law("geometric:9", "o", 1), 6
    )


@pytest.mark.parametrize("mean", ["1", "3/2", "20", "300"])
def test_geometric_lengths_have_their_mean_and_tail(mean: str) -> None:
    value = Fraction(mean)
    found = lengths(f"geometric:{mean}")
    assert min(found) >= 1
    deviation = float(value * (value - 1)) ** 0.5
    assert abs(sum(found) / N - value) <= 5 * deviation / N**0.5
    tail = float(1 - 1 / value) ** 2
    assert abs(sum(o > 2 for o in found) / N - tail) <= 0.04


def test_lognormal_lengths_have_their_median_and_spread() -> None:
    found = lengths("lognormal:1000:0.5")
    assert 960 <= median(found) <= 1040
    share = sum(1000 * 0.6065 <= o <= 1000 * 1.6487 for o in found) / N
    assert abs(share - 0.6827) <= 0.04
    assert set(lengths("lognormal:1000:0")) == {1000}


def test_normal_numbers_have_mean_0_and_variance_1() -> None:
    bits = raw_bits(3, 0)
    draws = [normal(bits) for _ in range(N)]
    zero = Decimal(0)
    assert abs(sum(draws, zero) / N) < Decimal("0.08")
    assert abs(sum((z * z for z in draws), zero) / N - 1) < Decimal("0.12")


def test_uniform_lengths_and_limits() -> None:
    assert set(lengths("uniform:3:6")) == {3, 4, 5, 6}
    assert max(lengths("geometric:300:50")) == 50
    assert max(lengths("lognormal:300:2:50")) == 50
    assert set(lengths("constant:0")) == {1}
    assert set(lengths("constant:0", least=0)) == {0}


def test_poisson_arrivals_rise_and_have_their_rate() -> None:
    found = poisson_milliseconds(raw_bits(0, 0), N, Fraction(5))
    assert found == sorted(found)
    assert abs(found[-1] / (200 * N) - 1) <= 0.08


@pytest.mark.parametrize(
    "text",
    [
        *("", "normal:3", "constant", "constant:1:2", "constant:-1", "constant:1.5", "uniform:5:2"),
        *("geometric:0", "geometric:0.5", "geometric:1e3", "geometric:1/0", "geometric:10001"),
        *("lognormal:5", "lognormal:0:1", "lognormal:5:-1", "lognormal:5:6", "geometric:5:0"),
        *("lognormal:5:1:x", "lognormal:5:1:2:3", "uniform:1:10000000", "geometric:nan"),
    ],
)
def test_malformed_laws_are_refused_in_one_line(text: str) -> None:
    with pytest.raises(InputError, match=r"^outputs: .*must|^outputs: uniform needs"):
        law(text, "outputs", 1)


def test_generated_files_are_traces(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "t.csv"
    assert generate(target, 30, "2.5", "lognormal:50:1", "geometric:9", 1) == 0
    assert capsys.readouterr().out.startswith(f"wrote={target} requests=30 span_ms=")
    data = target.read_bytes()
    assert data.startswith(b"arrival_ms,prompt_tokens,output_tokens\n")
    assert b"\r" not in data
    assert len(read_trace(target).requests) == 30
    assert generate(target, 30, "2.5", "lognormal:50:1", "geometric:9", 1) == 0
    assert target.read_bytes() == data
    assert generate(target, 0, "burst", "constant:1", "constant:1", 0) == 0
    assert target.read_bytes() == trace_bytes([])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((5, "0", "constant:1", "constant:1", 0), "rate: must be `burst` or"),
        ((5, "often", "constant:1", "constant:1", 0), "rate: must be"),
        ((5, "1/9999999999999999", "constant:1", "constant:1", 0), "rate: too low"),
        ((-1, "burst", "constant:1", "constant:1", 0), "requests: must be an integer >= 0"),
        ((10**8, "burst", "constant:1", "constant:1", 0), "requests: must be at most"),
        ((5, "burst", "constant:1", "constant:1", -1), "seed: must be an integer >= 0"),
        ((5, "burst", "pareto:1", "constant:1", 0), "prompts: must be"),
        ((5, "burst", "constant:1", "pareto:1", 0), "outputs: must be"),
    ],
)
def test_bad_requests_write_nothing(
    arguments: tuple[int, str, str, str, int], words: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError) as error:
        generate(tmp_path / "t.csv", *arguments)
    assert str(error.value).startswith(words)
    assert not list(tmp_path.iterdir())


def test_bad_targets_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="must end in"):
        generate(tmp_path / "t.txt", 1, "burst", "constant:1", "constant:1", 0)
    with pytest.raises(InputError, match="this is a folder"):
        generate(tmp_path, 1, "burst", "constant:1", "constant:1", 0)
