"""The regimes of an instance, as the commands report them."""

from __future__ import annotations

from ..artifacts.canonical import Json
from ..model import Instance
from ..policies.nonclairvoyant.regimes import regimes


def regimes_to_json(instance: Instance) -> Json:
    """Return how many requests are large, prompt-heavy and response-heavy at its memory."""
    found = regimes(instance)
    return {
        "large": found.large,
        "prompt_heavy": found.prompt_heavy,
        "response_heavy": found.response_heavy,
    }
