# make demo   install the light core and show one French agreement problem
# make test   install what the tests need and run them
# make check  ruff, mypy, import-linter and the tests
# make bench  speed, as ratios with what one would have otherwise (docs/scale.md)

PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
OUT    ?= demo

.PHONY: demo test check bench format clean

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.core: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(VENV)/.dev: pyproject.toml constraints.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev,neural,encoders]'
	touch $@ $(VENV)/.core

demo: $(VENV)/.core
	$(BIN)/blm matrices grammars/agreement/agreement.blm --limit 1
	$(BIN)/blm generate grammars/agreement/fr.blm --output $(OUT) --force
	$(BIN)/blm show $(OUT)

test: $(VENV)/.dev
	$(BIN)/python -m pytest --numprocesses auto
	$(BIN)/python -m pytest tests/test_published.py  # alone, so that its tables are seen

check: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest --numprocesses auto

bench: $(VENV)/.dev
	$(BIN)/python benchmarks/run.py

format: $(VENV)/.dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean:
	rm -rf $(VENV) $(OUT) .pytest_cache .mypy_cache .ruff_cache .hypothesis
