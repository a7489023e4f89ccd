# Everything a person does with this tree; CMakePresets.json has the details.
PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
BUILD := build/release
RELEASE := cmake --preset release
COMPILE := cmake --build --preset release -j $(JOBS)
PYTHON := -DCONVOY_PYTHON=ON -DPython_EXECUTABLE=$(abspath .venv/bin/python)

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' Makefile

demo: ## build and run the demonstration
	scripts/setup build
	$(RELEASE)
	$(COMPILE) --target convoy convoy_command convoy_demo
	mkdir -p build/demo
	$(BUILD)/bin/convoy trace -o build/demo/trace -- $(BUILD)/tools/demo/convoy_demo --json build/demo/rows.json
	@$(BUILD)/bin/convoy bench --from build/demo/rows.json --title "The demonstration" --plot build/demo/plot.svg --plot build/demo/plot.png >/dev/null 2>&1
	@echo
	@echo "See where the time went:  $(abspath build/demo/trace.html)"
	@echo "See how fast it was:      $(abspath build/demo/plot.png)"

test: ## build everything and run all tests
	scripts/setup build test python
	$(RELEASE) $(PYTHON)
	$(COMPILE)
	ctest --preset release
	PYTHONPATH=$(BUILD)/python .venv/bin/python -m pytest

install: ## install into PREFIX (default /usr/local)
	scripts/setup build python
	$(RELEASE) $(PYTHON)
	$(COMPILE) --target installable
	cmake --install $(BUILD) --prefix $(abspath $(PREFIX))

TORCH_PYTHON ?= python3
torch-bridge: ## build the bridge for the PyTorch that TORCH_PYTHON has
	$(RELEASE) -DCONVOY_TORCH_PYTHON=$(TORCH_PYTHON)
	$(COMPILE) --target torch_bridge

test-clients: ## test PyTorch and others from PyPI on Convoy (downloads them)
	$(RELEASE) $(PYTHON)
	$(COMPILE) --target installable
	scripts/clients

bench: ## build and run the benchmarks
	scripts/setup build python bench
	$(RELEASE) -DCONVOY_BENCH=ON $(PYTHON)
	$(COMPILE) --target bench

format: ## format the sources in place
	scripts/format

lint: ## check format, layers, style, clauses, shell scripts, and clang-tidy
lint-full: ## the same with Clang's static analyzer, twice as long
lint-full: TIDY := --full
lint lint-full:
	scripts/setup build check
	scripts/format --check
	scripts/check_layers
	scripts/check_style
	scripts/check_clauses
	scripts/check_shell
	scripts/tidy $(TIDY)

clean: ## delete every build
	rm -rf build .venv

.PHONY: help demo test install torch-bridge test-clients bench format lint lint-full clean
