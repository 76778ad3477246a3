# Each command works from a fresh clone. README.md gives the plain commands behind it.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
# The shell is Chromium without what only a window needs: a page in it takes less of the processor.
BROWSERS := chromium-headless-shell chromium chromium-browser google-chrome
CHROMIUM ?= $(firstword $(foreach name,$(BROWSERS),$(shell command -v $(name))))
PORT ?= 8501
export CHROMIUM
export WORKERS PORT ADDRESS
# Each process would else compile all that it imports once more, where the environment forbids to keep what is compiled.
export PYTHONDONTWRITEBYTECODE =
BIN := .venv/bin

.DEFAULT_GOAL := help
.PHONY: help run demo serve test first suite journeys exhaustive quick check bench engines precompute encoders format lock sbom clean programs

help: ## Show what can be made
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' Makefile

run: .venv/run.stamp ## Start the dashboard on http://127.0.0.1:8501, or on another PORT
	$(BIN)/python -m streamlit run dashboard/app.py --server.port $(PORT)

demo: .venv/run.stamp ## Give a talk of ten minutes: the dashboard opens on a tour through stored results
	PYTHON=$(CURDIR)/$(BIN)/python sh dashboard/server/demo.sh

serve: .venv/run.stamp ## Serve by several processes behind Caddy: make serve WORKERS=4
	PYTHON=$(CURDIR)/$(BIN)/python sh dashboard/server/serve.sh

# Types keep one core busy for half a minute: so the checks run beside the tests.
test: .venv/dev.stamp programs ## Run every check and the tests, those in a browser too
	@$(MAKE) --no-print-directory --jobs 3 check suite journeys FIRST=first

CORES := $(shell getconf _NPROCESSORS_ONLN)
first suite journeys: export OMP_NUM_THREADS = 1
# What Python and numba compile is kept: one process does so for all others, which would each compile the same at once.
first: .venv/dev.stamp
	$(BIN)/python -m pytest -m first $$(grep -rl --include '*.py' 'mark[.]first' tests)

# It yields to the journeys, few of which go at a time, and which would else end last; little, since others may keep the
# processor busy, too.
# Only the whole suite calls every function that returns a sentence, so that only it can tell which of them never change.
suite: .venv/dev.stamp $(FIRST)
	nice -n 3 $(BIN)/python -m pytest -n $(CORES) --maxprocesses 8 --dist worksteal --ignore tests/e2e $(if $(FIRST),-m 'not first') $(or $(strip $(ARGS)),--each-sentence-changes)

# Each process has a server and a browser of its own, which take long to begin with.
journeys: .venv/dev.stamp $(FIRST)
	$(BIN)/python -m pytest -n $$((($(CORES) + 2) / 4)) --maxprocesses 8 --dist worksteal tests/e2e $(ARGS)

exhaustive: .venv/dev.stamp programs ## Take the tests that make test leaves out: other cases, and second proofs
	@$(MAKE) --no-print-directory --jobs 2 suite journeys ARGS="--exhaustive -m 'sampled or exhaustive' $(ARGS)"

# Left out: what trains, opens pages, or starts processes.
SLOW := adversaries attacks audits campaigns corpora defenses e2e encoders games jobs kernels models networks readers runtime targets \
	catalog/test_catalog.py dashboard/test_*.py dashboard/*/test_page.py dashboard/kit/test_forms.py test_contributing.py

quick: .venv/dev.stamp ## Format, lint, import contracts and the fast tests: an answer in a minute and a half
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports --no-logo
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "not slow" $(SLOW:%=--ignore-glob='tests/%') $(ARGS)

check: .venv/dev.stamp ## Format, lint, types, import contracts
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

bench: .venv/dev.stamp ## Run every benchmark: one line of JSON each
	@failed=; for file in $$(grep -l '^if __name__' tests/benchmarks/*.py); do \
		$(BIN)/python -m $$(echo $${file%.py} | tr / .) || failed="$$failed $$file"; \
	done; [ -z "$$failed" ] || { echo "Failed:$$failed" >&2; exit 1; }

PACKAGES = -c 'import sysconfig; print(sysconfig.get_path("purelib"))'
engines: .venv/dev.stamp ## Read what real Chroma, Qdrant and LanceDB write: three minutes to install them, apart from .venv
	@$(BIN)/python -m venv .venv-engines
	@.venv-engines/bin/python -m pip install --quiet --disable-pip-version-check -r requirements-engines.txt
	@$(BIN)/python $(PACKAGES) > "$$(.venv-engines/bin/python $(PACKAGES))/telltale.pth"
	.venv-engines/bin/python -m tests.engines.stores

precompute: .venv/run.stamp ## Rebuild the results that precomputed/ lacks, and the tables of results
	$(BIN)/python -m core precompute
	$(BIN)/python -m core results

encoders: .venv/run.stamp ## Train the small encoders that are not there yet: about ten minutes each
	$(BIN)/python -m core.encoders.pretraining --all

format: .venv/dev.stamp ## Format the code and apply the safe fixes
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# Torch, and what its builds for graphics cards take, stay out: each platform and each kind of card has builds of its own.
APART := torch|triton|nvidia-[^=]*|cuda-[^=]*
lock: .venv/dev.stamp ## Write the lock files anew: the SHA-256 of every package, for every platform
	@for name in requirements requirements-dev; do \
		$(BIN)/uv pip compile $$name.txt --no-config --universal --python-version 3.11 --generate-hashes --no-header \
			--no-annotate --no-emit-index-url --quiet > $$name.all && \
		awk '/^[a-z]/ {kept = $$0 !~ /^($(APART))==/} kept' $$name.all > $$name.lock && rm $$name.all || exit 1; \
	done

sbom: .venv/dev.stamp ## Write build/sbom.json (CycloneDX) and build/licences.md: what is installed, under which licences
	@mkdir -p build
	$(BIN)/cyclonedx-py environment --pyproject pyproject.toml --output-reproducible --output-file build/sbom.json $(BIN)/python
	$(BIN)/pip-licenses --python $(BIN)/python --format markdown --order license --with-urls --output-file build/licences.md

clean: ## Remove the virtual environment and the tools' caches, never a result
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis

.venv/run.stamp: requirements.txt requirements.lock
	$(call install,requirements)
	@touch $@

# Installs all at once, so that a fresh clone is not set up twice.
.venv/dev.stamp: requirements-dev.txt requirements-dev.lock requirements.txt
	$(call install,requirements-dev)
	@touch .venv/run.stamp $@

# Most of what is installed is never imported. What is, Python compiles then: that takes 6 seconds instead of 45.
define install
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Telltale needs Python 3.11 or newer: make PYTHON=/path/to/python3.11" >&2; exit 1; }
	@echo "Setting up .venv from $(1).lock, once: one to two minutes" >&2
	@"$(PYTHON)" -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check pip==26.3 # takes half as long as that of Python 3.11
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --require-hashes --no-deps -r $(1).lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile -r $(1).txt # torch, which the lock leaves out
endef

# Without Chromium and Caddy some tests fail; none is skipped. So get both where that takes no password.
MISSING := $(if $(CHROMIUM),,chromium-headless-shell fonts-liberation libatomic1) $(if $(shell command -v caddy),,caddy)
programs:
ifneq ($(strip $(MISSING)),)
	@sudo=; [ "$$(id -u)" = 0 ] || sudo="sudo -n"; \
	command -v apt-get >/dev/null && $$sudo true 2>/dev/null && $$sudo apt-get update -qq \
		&& $$sudo apt-get install -qq --no-install-recommends $(MISSING) >/dev/null \
		|| echo "The tests need these programs: $(strip $(MISSING)). Install them; Chromium may also be named: make test CHROMIUM=/path/to/chromium" >&2
endif
