# Inklings: every target installs what it needs first. `make` alone lists them.
SHELL := bash
.DEFAULT_GOAL := help
.PHONY: help run build package check test faults lint bench bench-recall promises bindings setup clean

help: ## This list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo "  RELEASE=1 builds and runs the optimised profile; INKLINGS_DATA_DIR=... chooses another data folder."

run: ## Install what is missing, build, open the window (with no display: the guided tour, screenshots in target/tour)
	@scripts/run.sh

build: ## Build the window and the command line into target/debug (RELEASE=1: target/release)
	@scripts/build.sh

package: ## The optimised build as deb and rpm in target/package/out, installed into an empty folder and tried: minutes
	@scripts/package.sh

check: ## What changed since the last commit, in two minutes: formatting, lints, types, unit tests (BASE=origin/main: since then)
	@scripts/check.sh

test: ## Everything: lints, Rust, UI, browser, processes, the real window
	@scripts/test.sh

faults: ## Kills, full disks, I/O errors, power cuts, damage: minutes (FAULTS=long: an hour; SEED=n replays a run)
	@scripts/faults.sh

lint: ## Formatting, clippy, Biome, TypeScript, licences, structure
	@scripts/test.sh lint

bench: ## Search, write and import at 10,000 and 100,000 entries, against a naive baseline; starts and keystrokes of the window
	@scripts/bench.sh

bench-recall: ## How well each order of a search finds the evidence of test sets (QUALITY=folder; FIT=1: fit the weights)
	@scripts/bench-recall.sh

promises: ## The promises that tests name, by the file they stand in
	@scripts/promises.sh

bindings: ## Regenerate ui/src/ipc/bindings.gen.ts from the Rust commands
	@scripts/bindings.sh

setup: ## Only install what building and testing need
	@scripts/setup-system.sh build test
	@scripts/setup-npm.sh
	@scripts/setup-model.sh
	@scripts/setup-tools.sh

clean: ## Remove build output (keeps installed packages, the model and your data)
	rm -rf target ui/dist ui/coverage test-results playwright-report .cache/ui.sum
