# Development commands of rarewood; `make help` lists them.
#
# Requirements: Python 3.11 or later (with its headers), a C++20 compiler and make. Everything else,
# including CMake and Ninja, is installed from the package index into one virtual environment. Each
# step leaves a stamp, so a repeated command runs only what changed.

.DEFAULT_GOAL := help
.NOTPARALLEL:
.DELETE_ON_ERROR:
SHELL := /bin/bash

PYTHON ?= python3
VENV   ?= .venv
# Test processes: more than two cores, since some tests wait for clusters, browsers and programs.
JOBS   ?= 3
CXX    ?= c++

# Tests to run and further options: `make test TESTS=tests/forest PYTEST_ARGS="-x -q"`.
TESTS          ?= --doctest-modules --pyargs rarewood tests reproduction
PYTEST_ARGS    ?=
# A test that hangs fails after ten minutes with the stacks of its threads, and the others continue.
# The method is "signal": the other one ends the process, and xdist may then hang.
PATIENCE        = --timeout 600 --timeout-method signal
SANITIZE_TESTS ?= tests/rules tests/pruning tests/models tests/table tests/criterion tests/search tests/grow tests/model tests/cluster tests/forest/test_threads.py tests/forest/test_twin.py tests/forest/test_weights.py tests/fuzz
WHEEL_TESTS    ?= tests/table tests/grow tests/tree tests/forest

# Run folder and models of the demo.
DEMO        ?= demo-run
DEMO_MODELS := rare-forest,hedex,balanced-random-forest,hddt,ccpdt,sklearn-random-forest,hist-gradient-boosting,logistic-regression

# Figures are drawn, never shown.
export MPLBACKEND := Agg
# One thread per test process for BLAS and OpenMP: with more than cores, their threads spin.
test: export OMP_NUM_THREADS := 1
test: export OPENBLAS_NUM_THREADS := 1

OPTION_sanitize := SANITIZE
OPTION_threads  := SANITIZE_THREAD
OPTION_coverage := COVERAGE

BIN   := $(VENV)/bin
STAMP := $(VENV)/.stamps
PIP   := $(BIN)/python -m pip --disable-pip-version-check

# Folders are included because their time changes when a file is added or removed.
SOURCES := pyproject.toml CMakeLists.txt README.md LICENSE \
           $(shell find core src -not -name __pycache__ -not -name '*.pyc' 2>/dev/null)
SCRIPTS := $(wildcard benchmarks/fit_*.py benchmarks/predict_*.py)

# $(1) an environment. No build isolation, and a persistent build folder inside the environment, so
# that builds are incremental.
BUILD_INSTALL = $(1)/bin/python -m pip --disable-pip-version-check install --quiet \
                --no-build-isolation -Cbuild-dir=$(1)/build

say = @printf '\033[1m==> %s\033[0m\n'

.PHONY: help demo test test-oldest lint format stub docs wheel fuzz faults load mutants sanitize coverage bench figures reproduce clean

help: ## list the commands
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 20

demo: $(STAMP)/extra-cli $(STAMP)/extra-data $(STAMP)/installed ## install the project into .venv, compare models on real data and write a report
	$(say) "rarewood compare: hypothyroidism, 151 cases among 3,163 patients"
	@$(BIN)/rarewood compare hypothyroid --models $(DEMO_MODELS) --out $(DEMO)
	$(say) "open $(DEMO)/report.html in a browser"

test: $(STAMP)/extra-test $(STAMP)/installed ## install the project with the test tools into .venv and run the test suite
	$(say) "running the tests and docstring examples ($(JOBS) processes)"
	@$(BIN)/python -m pytest -n $(JOBS) --dist loadgroup $(PATIENCE) $(PYTEST_ARGS) $(TESTS)

# The lowest versions that pyproject.toml admits, in an environment of their own. What they do not
# reach is tested with the newest versions only: peers, exports, the documentation. Deprecations are
# errors with the newest versions only: here old packages meet newer ones that they import.
OLDEST_TESTS ?= tests/table tests/grow tests/tree tests/forest tests/model tests/modelfile tests/intake tests/stream tests/sampling tests/operating tests/evaluate tests/cli tests/dask
test-oldest: ## run tests with the oldest supported versions of the dependencies
	$(say) "preparing $(VENV)-oldest with the oldest versions of the dependencies"
	$(call new_venv,$(VENV)-oldest)
	@for part in build test; do $(PYTHON) tools/requirements.py $$part; done > $(VENV)-oldest/.stamps/requirements.txt
	@$(VENV)-oldest/bin/python -m pip install --quiet uv
	@$(VENV)-oldest/bin/uv pip install --quiet --python $(VENV)-oldest/bin/python --resolution lowest-direct \
	  -r pyproject.toml -r $(VENV)-oldest/.stamps/requirements.txt
	@$(call BUILD_INSTALL,$(VENV)-oldest) --no-deps .
	@$(VENV)-oldest/bin/python -c 'import rarewood; rarewood.show_versions()'
	$(say) "running $(OLDEST_TESTS)"
	@OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(VENV)-oldest/bin/python -m pytest -n $(JOBS) --dist loadgroup $(PATIENCE) -W default::DeprecationWarning $(PYTEST_ARGS) $(OLDEST_TESTS)

lint: $(STAMP)/extra-dev $(STAMP)/installed ## check style, types, layers and the stub; changes nothing
	$(say) "checking style (ruff, clang-format), types (mypy), layers (import-linter) and the stub"
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@find core -name '*.[ch]pp' -print0 | xargs -0 $(BIN)/clang-format --dry-run --Werror
	@$(BIN)/mypy
	@PYTHONPATH=src $(BIN)/lint-imports
	@$(BIN)/python tools/stub.py --check

format: $(STAMP)/extra-dev ## format Python and C++ files
	$(say) "formatting (ruff, clang-format)"
	@$(BIN)/ruff check --fix-only .
	@$(BIN)/ruff format .
	@find core -name '*.[ch]pp' -print0 | xargs -0 $(BIN)/clang-format -i

stub: $(STAMP)/installed ## write src/rarewood/_core.pyi from the compiled module
	$(say) "writing the stub of the compiled module"
	@$(BIN)/python tools/stub.py

# Pages that Sphinx writes from docstrings and from examples/.
GENERATED_DOCS := $(addprefix docs/,generated tutorial howto explanation figures sg_execution_times.rst)
docs: export OMP_NUM_THREADS := 1
docs: export OPENBLAS_NUM_THREADS := 1
docs: $(STAMP)/extra-docs $(STAMP)/installed ## run the examples of README and docs, then build docs/_build/html
	$(say) "running the examples of README.md and docs/"
	@$(BIN)/python tools/run_examples.py README.md docs/*.md docs/coming-from/*.md
	$(say) "running examples/ and building docs/_build/html"
	@rm -rf $(GENERATED_DOCS)
	@$(BIN)/python -m sphinx -W --keep-going -q -b html docs docs/_build/html
	$(say) "open docs/_build/html/index.html"

wheel: $(STAMP)/tools ## build sdist and wheel into dist/ and test the wheel in a clean environment
	$(say) "building the sdist, and from it the wheel"
	@rm -rf dist
	@$(PIP) install --quiet build
	@$(BIN)/python -m build --outdir dist .
	$(say) "testing the wheel in a clean environment outside the source tree"
	@set -e; folder=$$(mktemp -d); trap 'rm -rf "$$folder"' EXIT; \
	  $(PYTHON) -m venv "$$folder/venv"; \
	  "$$folder/venv/bin/python" -m pip install --quiet "$$(ls "$(CURDIR)"/dist/rarewood-*.whl)[test]"; \
	  "$$folder/venv/bin/python" -m pip check; \
	  cp -R tests pyproject.toml examples "$$folder"; cd "$$folder"; \
	  venv/bin/python -c 'import rarewood; print("rarewood", rarewood.__version__, "from", rarewood.__file__)'; \
	  venv/bin/rarewood --version; \
	  venv/bin/python examples/demo.py > demo.txt && tail -n 3 demo.txt; \
	  venv/bin/python -m pytest -n $(JOBS) $(PYTEST_ARGS) $(WHEEL_TESTS)

# Minutes of the search, and its seed: `make fuzz MINUTES=60 SEED=7`. KILLS and FITS of the faults.
MINUTES ?= 10
SEED    ?=
KILLS   ?= 200
FITS    ?= 100
fuzz: $(STAMP)/extra-test $(STAMP)/installed ## search for inputs on which the library fails: MINUTES=10
	$(say) "searching for $(MINUTES) minutes; reduced failures are kept in tests/fuzz/corpus"
	@$(BIN)/python -m fuzz --minutes $(MINUTES) $(if $(SEED),--seed $(SEED))

faults: $(STAMP)/extra-test $(STAMP)/installed ## kill commands, fill the disk, lose workers: KILLS=200 FITS=100
	$(say) "$(KILLS) kills of commands, and $(FITS) fits on a cluster that loses workers"
	@$(BIN)/python -m fuzz.faults --kills $(KILLS) --fits $(FITS) $(if $(SEED),--seed $(SEED))

load: $(STAMP)/extra-test $(STAMP)/installed ## fits and predictions from 8 threads: memory and latency
	@$(BIN)/python -m fuzz.load

mutants: $(STAMP)/extra-test $(STAMP)/installed ## change the source in small ways: which changes do tests find?
	@$(BIN)/python -m fuzz.mutants

# The interpreter is not instrumented, so the sanitizer library must be preloaded; libstdc++ as well,
# for __cxa_throw. $(1): the library; $(2): the environment.
preloaded = LD_PRELOAD="$$($(CXX) -print-file-name=$(1)) $$($(CXX) -print-file-name=libstdc++.so)" \
            PYTHONMALLOC=malloc ARROW_DEFAULT_MEMORY_POOL=system RAREWOOD_SANITIZED=1 $(VENV)-$(2)/bin/python
# ThreadSanitizer needs a fixed layout of the address space. It sees the lock of the interpreter,
# which is a mutex, and checks what the core reads and writes.
FIXED_LAYOUT = setarch $$(uname -m) --addr-no-randomize
SANITIZE_JOBS ?= 2
sanitize: export OMP_NUM_THREADS := 1
sanitize: export OPENBLAS_NUM_THREADS := 1
sanitize: $(VENV)-sanitize/.stamps/installed $(VENV)-threads/.stamps/installed ## run the tests of the core and a search under AddressSanitizer, UBSan and ThreadSanitizer
	$(say) "fitting and predicting from several threads with ThreadSanitizer"
	@export TSAN_OPTIONS="halt_on_error=1 exitcode=66 suppressions=$(CURDIR)/fuzz/threads.supp"; set -e; \
	  $(FIXED_LAYOUT) env $(call preloaded,libtsan.so,threads) -m fuzz.planted; \
	  $(FIXED_LAYOUT) env $(call preloaded,libtsan.so,threads) -m fuzz.threads
	$(say) "running $(SANITIZE_TESTS) with AddressSanitizer and UBSan ($(SANITIZE_JOBS) processes)"
	@export ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1; set -e; \
	  $(call preloaded,libasan.so,sanitize) -m fuzz.planted; \
	  $(call preloaded,libasan.so,sanitize) -m pytest -n $(SANITIZE_JOBS) --max-worker-restart 0 --capture=sys $(PYTEST_ARGS) $(SANITIZE_TESTS); \
	  $(call preloaded,libasan.so,sanitize) -m fuzz --minutes 2 --targets laws,twin,modelfiles $(if $(SEED),--seed $(SEED))

coverage: $(VENV)-coverage/.stamps/installed ## lines of the core and of the loader that a search runs: MINUTES=10
	$(say) "searching for $(MINUTES) minutes with coverage"
	@$(VENV)-coverage/bin/python -m pip install --quiet "coverage>=7.6"
	@$(VENV)-coverage/bin/python -m fuzz.measure --minutes $(MINUTES) $(if $(SEED),--seed $(SEED))

bench: $(STAMP)/extra-bench $(STAMP)/installed ## run the speed benchmarks
	@for script in $(SCRIPTS); do \
	  printf '\033[1m==> %s\033[0m\n' "$$script"; $(BIN)/python "$$script" || exit 1; done

figures: $(STAMP)/extra-plot $(STAMP)/extra-test demo ## write the headline tables and pictures of README and docs from stored results
	$(say) "writing the headline tables and pictures of README.md and docs/index.md"
	@$(BIN)/python benchmarks/headline.py
	@$(BIN)/python benchmarks/report_picture.py $(DEMO)/report.html

# Cells of finished cross-validations; an interrupted run resumes.
STORE ?= build/reproduction.sqlite
reproduce: $(STAMP)/extra-data $(STAMP)/extra-plot $(STAMP)/extra-sampling $(STAMP)/installed ## reproduce the tables of the papers and write docs/reproduction.md, or one table: TABLE=hddt-table2
	$(say) "reproducing $(or $(TABLE),all tables) with the data sets in RAREWOOD_DATA; resumes from $(STORE)"
	@$(BIN)/python -m reproduction $(if $(TABLE),run $(TABLE),page) --store $(STORE) --n-jobs 2

clean: ## remove the environments and all build products
	rm -rf $(VENV) $(VENV)-sanitize $(VENV)-threads $(VENV)-coverage $(VENV)-oldest build dist docs/_build $(GENERATED_DOCS) $(DEMO) \
	  .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# ------------------------------------------------------------------ the environment, step by step

# $(1) folder of the environment; recreated if its Python is missing.
define new_venv
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "rarewood requires Python 3.11 or later; found $$($(PYTHON) --version 2>&1)."; \
	  echo "Choose another one with: make PYTHON=/path/to/python3.12 ..."; exit 1; }
	@$(1)/bin/python -c '' 2>/dev/null || { rm -rf $(1); $(PYTHON) -m venv $(1); }
	@mkdir -p $(1)/.stamps
endef

$(STAMP)/tools: pyproject.toml tools/requirements.py
	$(say) "preparing $(VENV) with $$($(PYTHON) --version) and the build tools"
	$(call new_venv,$(VENV))
	@$(BIN)/python tools/requirements.py build > $(STAMP)/build.txt
	@$(PIP) install --quiet -r $(STAMP)/build.txt
	@touch $@

$(STAMP)/installed: $(STAMP)/tools $(SOURCES)
	$(say) "building the C++ core and installing rarewood into $(VENV)"
	@$(call BUILD_INSTALL,$(VENV)) .
	@touch $@

$(STAMP)/extra-%: $(STAMP)/tools
	$(say) "installing the tools of the extra '$*' into $(VENV)"
	@$(BIN)/python tools/requirements.py $* > $(STAMP)/$*.txt
	@$(PIP) install --quiet -r $(STAMP)/$*.txt
	@touch $@

# An environment for each instrumented build, named after its option in CMakeLists.txt.
$(VENV)-%/.stamps/installed: tools/requirements.py $(SOURCES)
	$(say) "building rarewood with RAREWOOD_$(OPTION_$*) into $(VENV)-$*"
	$(call new_venv,$(VENV)-$*)
	@for part in build test; do $(PYTHON) tools/requirements.py $$part; done > $(@D)/requirements.txt
	@$(VENV)-$*/bin/python -m pip install --quiet -r $(@D)/requirements.txt
	@$(call BUILD_INSTALL,$(VENV)-$*) \
	  -Ccmake.build-type=RelWithDebInfo -Ccmake.define.RAREWOOD_$(OPTION_$*)=ON -Cinstall.strip=false .
	@touch $@
