# make demo     set up and let planner, greedy and random race
# make quick    set up and run the checks to make before each commit: lint, types, layers, rules of 2016, API
# make test     set up and run what a change must pass: lint, types, tests, notebooks (the same as `make check`)
# make test-all make test with the tests that are marked as slow, then make bounds and a short bench
# make bounds   races of every edition with kernels that check each index
# make uncompiled   scenes of the rules of all editions as plain Python, without the compiler
# make js       check the JavaScript of the pages; needs npm (make lint does it where npm is there)
# make collect  import all tests; those of a fresh clone are rewritten and compiled once, not once in each process
# make bench    measure the simulator
# make release  build sdist and wheel, and try them in bare environments of Python 3.11, 3.12 and 3.13
# make docs     build the pages of docs/ as a site, out/site/index.html; stops at any warning

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PROCESSES ?= 3
QUICK = tests/package/test_layers.py tests/package/test_rules.py tests/rules tests/api/test_bad_input.py tests/api/test_pettingzoo.py
RULES = tests/rules tests/rules2005 tests/rules2023 tests/rulescommunity
INSTALLED := $(VENV)/.installed
CHECKED := $(VENV)/.installed-for-checks
DOCUMENTED := $(VENV)/.installed-for-docs
export PYTHONDONTWRITEBYTECODE :=
# where it is set, each process would compile all modules, and each test process rewrite all asserts
PYTEST = $(BIN)/python -m pytest -q
PARALLEL = -n $(PROCESSES) --dist loadfile --no-loadscope-reorder --max-worker-restart 0 --cpu-times out/cpu-times.json
# test processes share the cores: libraries that start a thread a core, and let them spin, would only be in the way
tests quick test-all bounds: export OMP_NUM_THREADS = 1
tests quick test-all bounds: export OPENBLAS_NUM_THREADS = 1
tests quick test-all bounds: export OMP_WAIT_POLICY = PASSIVE
# modules are compiled when they are imported: compiling all of all packages would take two minutes
PIP = $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile -c constraints.txt

.PHONY: demo quick test test-all check lint format types collect tests bounds uncompiled js bench docs release clean
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
	$(BIN)/roborally evaluate --agents planner greedy random --course burnout --games 150 --seed 1 --workers 2 --out out/demo --draw
	@echo "For the command roborally: . $(BIN)/activate"

test: check

check: lint types tests

lint: $(CHECKED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@if command -v npm >/dev/null && $(MAKE) --silent node_modules/.installed; then npm run --silent check; \
	else echo "without npm and its packages the JavaScript is not checked" >&2; fi

format: $(CHECKED)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: $(CHECKED)
	$(BIN)/mypy

collect: $(CHECKED)
	$(PYTEST) -q --collect-only tests > /dev/null

tests: $(CHECKED)
	$(PYTEST) $(PARALLEL) -m "not slow" tests

quick: lint types
	$(PYTEST) -m "not slow and not browser and not train" --ignore tests/rules/test_uncompiled.py $(QUICK)

test-all: lint types
	ROBORALLY_SLOW=1 $(PYTEST) $(PARALLEL) tests
	$(MAKE) bounds
	$(BIN)/roborally bench --quick --seconds 0.1 --no-start --out out/bench.json

bounds: $(CHECKED)
	NUMBA_BOUNDSCHECK=1 $(PYTEST) --timeout 3600 tests/bounds

uncompiled: $(CHECKED)
	NUMBA_DISABLE_JIT=1 $(PYTEST) --ignore tests/rules/test_uncompiled.py --ignore tests/rules/test_rulings.py $(RULES)

js: node_modules/.installed
	npm run --silent check

node_modules/.installed: package.json
	npm install --silent --no-audit --no-fund --fetch-retries 1 --fetch-timeout 20000
	touch node_modules/.installed

bench: $(INSTALLED)
	$(BIN)/roborally bench

docs: $(DOCUMENTED)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	@echo "out/site is ready; to read it with its search: $(BIN)/python -m http.server -d out/site"

release: $(VENV)/bin/python
	$(BIN)/python scripts/release.py try

clean:
	rm -rf $(VENV) build dist out .pytest_cache .mypy_cache .ruff_cache *.egg-info
