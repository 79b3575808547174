# The course's commands. `make help` lists them; each works when run twice.

PYTHON ?= python3
CH ?= 01_spam
COURSE ?= .
BIN := .venv/bin
# A pip option for another torch, for example: make install PIP_OPTIONS="--extra-index-url https://download.pytorch.org/whl/cpu"
PIP_OPTIONS ?=
LAB_OPTIONS ?=
# The site: answers in closed folds (fold) or none, and the address it will have.
SOLUTIONS ?= none
ADDRESS ?=
# Some tests wait more than they work: four processes suit two cores.
BESIDE := -n 4 --dist loadfile --no-loadscope-reorder
UNIT := $(addprefix tests/test_,architecture.py audit.py build.py check_cell.py checks.py helpers.py packaging.py \
  pages.py progress.py start.py variants.py wire.py)

# nbgrader calls alembic and jupyter by their bare names.
export PATH := $(CURDIR)/$(BIN):$(PATH)

.DEFAULT_GOAL := help
.PHONY: help install demo lab test variants tests world quick lint release wheel check grade audit mutants course site bench reference lock clean

help: ## Say what each command does.
	@grep -hE '^[a-z]+:.*##' Makefile | sed -E 's/^([a-z]+):.*## /\1\t/' | awk -F'\t' '{printf "  make %-9s %s\n", $$1, $$2}'

install: .venv/.installed ## Make the environment in .venv (once; again when the versions change).

.venv/.installed: pyproject.toml requirements.lock
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@echo "Installing into .venv (the first time takes a few minutes) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check $(PIP_OPTIONS) -c requirements.lock -e ".[dev]"
	@$(BIN)/python -m compileall -q autograder helpers
	@touch $@

demo: install ## Build chapter 01, grade a sample class on it, train its spam filter on real messages.
	@$(BIN)/python -m autograder demo

lab: install ## Open the notebooks in JupyterLab, with nbgrader's extensions.
	JUPYTER_CONFIG_PATH="$(CURDIR)/helpers/course/lab$${JUPYTER_CONFIG_PATH:+:$$JUPYTER_CONFIG_PATH}" \
	  $(BIN)/jupyter lab --LabApp.default_url=/lab/tree/notebooks/START.ipynb $(LAB_OPTIONS)

test: install lint ## Run everything: linter, audit, chapters, grading, tests.
	@$(MAKE) --no-print-directory --jobs 2 variants tests

variants: install ## Try a third of the variants on the checks, another third for each state of the sources.
	$(BIN)/python -m autograder audit --every 3

tests: install ## Run the tests alone (the other half).
	$(BIN)/python -m pytest tests $(BESIDE)

world: install ## Run the full tables of tests/world and write what came of them; an hour or two.
	$(BIN)/python -m pytest tests/world -n 2 --dist loadfile

quick: install lint ## In a minute: linter, the unit tests, one chapter's audit.
	$(BIN)/python -m autograder audit 08_rag
	$(BIN)/python -m pytest $(UNIT) $(BESIDE)

lint: install ## Check style, format and types.
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

release: install ## Build the student edition in notebooks/ from solutions/.
	$(BIN)/python -m autograder release

wheel: ## Build the wheel for self-study, in dist/. It needs nothing installed.
	$(PYTHON) -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist .

check: install ## Run all checks of one notebook: make check CH=01_spam
	@$(BIN)/python -m autograder check notebooks/$(CH)/$(CH).ipynb

grade: install ## Grade submitted/*/CH/ and write grades and feedback: make grade CH=01_spam [COURSE=folder]
	@$(BIN)/python -m autograder grade $(CH) --course $(COURSE)

audit: install ## Try every wrong and right variant on the checks, in one process and judged as in grading.
	$(BIN)/python -m autograder audit --both

mutants: install ## Put small faults into every solution by machine; list those that the checks let pass.
	$(BIN)/python -m autograder mutants

course: install ## Run every chapter in full, and for five seeds what it claims; write minutes, memory, scores and claims.
	$(BIN)/python -m autograder course

site: install ## Write the course as a static site to build/site: make site [SOLUTIONS=fold] [ADDRESS=https://...]
	@$(BIN)/python -m autograder site --solutions "$(SOLUTIONS)" --address "$(ADDRESS)"

bench: install ## Measure, against named rivals, in one run.
	$(BIN)/python -m pytest tests/benchmarks -s

reference: install ## Read the docs anew, train the reference artifacts in datasets/artifacts on them; fetch the pretrained one.
	$(BIN)/python datasets/docs/make_docs.py
	$(BIN)/python datasets/reference/tokenizer.py
	$(BIN)/python datasets/reference/word_vectors.py
	$(BIN)/python datasets/reference/gpt.py
	$(BIN)/python datasets/reference/bert.py
	$(BIN)/python datasets/reference/encoder.py
	$(BIN)/python datasets/reference/minilm.py
	$(BIN)/python datasets/reference/reader.py

lock: install ## Write requirements.lock anew from what is installed (the tested set).
	$(BIN)/python -m pip freeze --exclude-editable > build/freeze.txt
	sed 's/+cpu$$//' build/freeze.txt > requirements.lock

clean: ## Remove everything that was built, but not the environment.
	rm -rf build .pytest_cache .ruff_cache
