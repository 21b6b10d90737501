# Every target does its own set-up: a virtual environment in .venv with pinned packages.
PYTHON := .venv/bin/python

.PHONY: verify test test-fast lint bench artifacts clean

verify: .venv/runtime.stamp
	$(PYTHON) -m evaluators lean setup
	$(PYTHON) -m evaluators verify

test: .venv/dev.stamp
	$(PYTHON) -m pytest -n 2 --cov=evaluators --cov-report=term --cov-fail-under=90 --durations=25

test-fast: .venv/dev.stamp
	$(PYTHON) -m pytest -n 2 -m "not slow and not lean"

lint: .venv/dev.stamp
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/mypy --strict evaluators benchmarks

bench: .venv/runtime.stamp
	$(PYTHON) -m benchmarks

artifacts: .venv/runtime.stamp
	$(PYTHON) -m evaluators build-artifacts

.venv/runtime.stamp: requirements.txt pyproject.toml scripts/setup.sh
	bash scripts/setup.sh requirements.txt
	touch $@

.venv/dev.stamp: requirements-dev.txt requirements.txt pyproject.toml scripts/setup.sh
	bash scripts/setup.sh requirements-dev.txt
	touch .venv/runtime.stamp $@

clean:
	rm -rf .venv build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage*
