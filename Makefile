# make demo     set up and let planner, greedy and random race
# make test     set up and run every check: lint, types, tests, notebooks (the same as `make check`)
# make bench    measure the simulator
# make release  build sdist and wheel, and try them in bare environments of Python 3.11, 3.12 and 3.13
# make docs     build the pages of docs/ as a site, out/site/index.html; stops at any warning

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PROCESSES ?= 3
INSTALLED := $(VENV)/.installed
CHECKED := $(VENV)/.installed-for-checks
DOCUMENTED := $(VENV)/.installed-for-docs
PIP = $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

.PHONY: demo test check lint format types tests bench docs release clean
.DEFAULT_GOAL := demo

$(VENV)/bin/python:
	$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11) and 'roborally_env needs Python 3.11 or newer, this is ' + sys.version.split()[0] + '; try make PYTHON=python3.12')"
	$(PYTHON) -m venv $(VENV)

$(INSTALLED): $(VENV)/bin/python pyproject.toml constraints.txt
	$(PIP) -e ".[render]"
	touch $(INSTALLED)

$(CHECKED): $(INSTALLED)
	$(PIP) -e ".[render,video,play,train,data,offline,torchrl,supersuit,docs,dev]"
	touch $(CHECKED)

$(DOCUMENTED): $(INSTALLED)
	$(PIP) -e ".[render,docs]"
	touch $(DOCUMENTED)

demo: $(INSTALLED)
	$(BIN)/roborally evaluate --agents planner greedy random --course dizzy_highway --games 300 --seed 1 --workers 2 --out out/demo --draw
	@echo "For the command roborally: . $(BIN)/activate"

test: check

check: lint types tests

lint: $(CHECKED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(CHECKED)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: $(CHECKED)
	$(BIN)/mypy

tests: $(CHECKED)
	$(BIN)/python -m pytest -q -n $(PROCESSES) --dist loadfile --no-loadscope-reorder --max-worker-restart 0 tests

bench: $(INSTALLED)
	$(BIN)/roborally bench

docs: $(DOCUMENTED)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	@echo "out/site is ready; to read it with its search: $(BIN)/python -m http.server -d out/site"

release: $(VENV)/bin/python
	$(BIN)/python scripts/release.py try

clean:
	rm -rf $(VENV) build dist out .pytest_cache .mypy_cache .ruff_cache *.egg-info
