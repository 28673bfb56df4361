# make demo   set up and let planner, greedy and random race
# make test   set up and run every check: lint, types, tests, notebooks (the same as `make check`)
# make bench  measure the simulator

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed

.PHONY: demo test check lint format types tests bench clean
.DEFAULT_GOAL := demo

$(INSTALLED): pyproject.toml constraints.txt
	$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11) and 'roborally_env needs Python 3.11 or newer, this is ' + sys.version.split()[0] + '; try make PYTHON=python3.12')"
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[render,dev]"
	touch $(INSTALLED)

demo: $(INSTALLED)
	$(BIN)/roborally evaluate --agents planner greedy random --course dizzy_highway --games 300 --seed 1 --workers 2 --out out/demo --draw

test: check

check: lint types tests

lint: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(INSTALLED)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: $(INSTALLED)
	$(BIN)/mypy

tests: $(INSTALLED)
	$(BIN)/python -m pytest -q

bench: $(INSTALLED)
	$(BIN)/roborally bench

clean:
	rm -rf $(VENV) build dist out .pytest_cache .mypy_cache .ruff_cache *.egg-info
