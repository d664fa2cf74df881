# Everything that is done with this repository is a target here. `make` lists them.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

GO ?= go
# As released: no C. One setting for all targets, so that they share what is compiled.
export CGO_ENABLED ?= 0
FUZZTIME ?= 10s
VERSION ?= $(shell git describe --tags --dirty 2>/dev/null || echo v0.1.0-dev)
COMMIT ?= $(shell git rev-parse --short=12 HEAD 2>/dev/null || echo unknown)
DATE ?= $(shell TZ=UTC git log -1 --date=format-local:%Y-%m-%dT%H:%M:%SZ --format=%cd 2>/dev/null || echo 1970-01-01T00:00:00Z)
LDFLAGS := -s -w -X github.com/kongctl/kongctl/internal/cli.version=$(VERSION) -X github.com/kongctl/kongctl/internal/cli.commit=$(COMMIT) -X github.com/kongctl/kongctl/internal/cli.date=$(DATE)
LINT := $(GO) tool -modfile=tools/go.mod golangci-lint

# Runs a go test command, lets its lines through, and closes with a count of
# the packages' closing lines, so that the end of a long log says it all.
define counted
	@mkdir -p bin
	@status=0; $(1) 2>&1 | tee bin/$@.log || status=$$?; \
	awk '/^ok /{ok++} /^FAIL\t/{bad++; names=names "\n  " $$2} \
	  END{printf "%s: %d packages ok, %d failed%s\n", "$@", ok, bad, names}' bin/$@.log; \
	exit $$status
endef

.PHONY: help
help: ## list the targets
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-17s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: build
build: ## bin/kongctl
	$(GO) build -trimpath -ldflags '$(LDFLAGS)' -o bin/kongctl ./cmd/kongctl

.PHONY: test
test: ## all tests that need Go alone; `make lint` vets the code
	@# GOGC trades memory for time: tests make many short-lived documents.
	$(call counted,{ r=0; export GOGC=400; $(GO) test -vet=off -timeout 30m ./... || r=1; $(GO) test -vet=off -tags nonative ./internal/gateway/native || r=1; (exit $$r); })

.PHONY: test-real
test-real: chromium deck kube ## tests that run the real binary and other real programs
	$(call counted,{ r=0; $(GO) test -count=1 -timeout 30m -tags real -p 1 ./test/real/... ./test/kube/... || r=1; (cd test/sdk && $(GO) test -count=1 ./...) || r=1; (cd tools/release && $(GO) test -count=1 ./...) || r=1; (exit $$r); })

# decK as people run it, for test-real. It builds inside of a copy of its own
# module only; that takes some minutes, once.
DECK_VERSION := v1.55.0
DECK := .cache/deck/deck

.PHONY: deck
deck: $(DECK) ## .cache/deck/deck, for test-real

$(DECK):
	@mkdir -p .cache/deck/fetch
	@cd .cache/deck/fetch && { [ -f go.mod ] || $(GO) mod init fetch; } 2>/dev/null && \
	  dir="$$($(GO) mod download -json github.com/kong/deck@$(DECK_VERSION) | sed -n 's/^.*"Dir": "\(.*\)".*$$/\1/p')" && \
	  [ -n "$$dir" ] && rm -rf ../src && cp -r "$$dir" ../src && chmod -R u+w ../src
	cd .cache/deck/src && $(GO) build -trimpath -ldflags '-s -w -X github.com/kong/deck/cmd.VERSION=$(DECK_VERSION)' -o ../$(notdir $(DECK)) .

# A Kubernetes API server with its controllers, and the programs that people use
# beside it, for test-real. They are built again when the versions change. With
# empty caches and two cores this takes 6 minutes (kube-apiserver 207 s,
# kube-controller-manager 96 s, kubectl 22 s, helm 13 s, etcd 10 s, kustomize 2 s);
# each uses what the one before has compiled, so they are built one by one.
KUBE := .cache/kube
KUBE_VERSION := 1.35.4
KUBE_LDFLAGS := -s -w -X k8s.io/component-base/version.gitMajor=1 -X k8s.io/component-base/version.gitMinor=35 -X k8s.io/component-base/version.gitVersion=v$(KUBE_VERSION)
KUBE_PROGRAMS := k8s.io/kubernetes/cmd/kube-apiserver go.etcd.io/etcd/server/v3:etcd k8s.io/kubernetes/cmd/kubectl \
  sigs.k8s.io/kustomize/kustomize/v5:kustomize k8s.io/kubernetes/cmd/kube-controller-manager helm.sh/helm/v3/cmd/helm

.PHONY: kube
kube: ## .cache/kube: kube-apiserver, etcd and others, for test-real
	@grep -q 'k8s.io/kubernetes v$(KUBE_VERSION)$$' test/tools/kube/go.mod || \
	  { echo "make kube: KUBE_VERSION is not the version in test/tools/kube/go.mod" >&2; exit 1; }
	@key="$$(cat test/tools/kube/go.mod test/tools/kube/go.sum | git hash-object --stdin)"; \
	[ "$$(cat $(KUBE)/key 2>/dev/null)" != "$$key" ] || exit 0; \
	rm -f $(KUBE)/key; mkdir -p $(KUBE); out="$$(cd $(KUBE) && pwd)"; cd test/tools/kube; \
	for p in $(KUBE_PROGRAMS); do \
	  name="$${p##*[/:]}"; echo "build $$name"; \
	  CGO_ENABLED=0 $(GO) build -trimpath -ldflags '$(KUBE_LDFLAGS)' -o "$$out/$$name" "$${p%%:*}"; \
	done; \
	echo "$$key" > "$$out/key"

# A browser for test-real, where it can be installed; else the test says how.
.PHONY: chromium
chromium:
	@command -v chromium >/dev/null || [ "$$(id -u)" != 0 ] || ! command -v apt-get >/dev/null || \
	  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium; }

.PHONY: race
race: ## all tests under the race detector (needs a C compiler)
	$(call counted,CGO_ENABLED=1 $(GO) test -race ./...)

.PHONY: lint
lint: ## linters, vet, formatting, tidy go.mod files
	$(GO) vet -tags real ./...
	$(LINT) run ./...
	$(GO) mod tidy -diff
	cd tools && $(GO) mod tidy -diff
	cd tools/release && $(GO) vet ./... && $(GO) mod tidy -diff
	cd test/sdk && $(GO) mod tidy -diff
	cd test/tools/kube && $(GO) mod tidy -diff

.PHONY: fmt
fmt: ## format all Go files
	$(LINT) fmt

# Packages whose tests know the flag -update.
GOLDEN = $(sort $(patsubst %/,./%,$(dir $(shell grep -rlE --include='*_test.go' '"update"|testkit\.Golden' bench cmd internal test 2>/dev/null))))

.PHONY: golden
golden: ## write the golden files; read the diff before you commit it
	@[ -n "$(GOLDEN)" ] || { echo "make golden: no package has golden files" >&2; exit 1; }
	$(GO) test -count=1 $(GOLDEN) -update
	@git status --short -- '*testdata*' '*.golden' '*.txtar'

.PHONY: fuzz
fuzz: ## every fuzz target for FUZZTIME (default 10s) each
	@found=0; \
	while IFS=: read -r file name; do \
	  [ -n "$$name" ] || continue; \
	  found=$$((found + 1)); echo "fuzz $$name ($$(dirname "$$file"))"; \
	  $(GO) test -run='^$$' -fuzz="^$$name\$$" -fuzztime=$(FUZZTIME) "./$$(dirname "$$file")" </dev/null; \
	done < <(grep -roE --include='*_test.go' '^func Fuzz[A-Za-z0-9_]*' bench cmd internal test | sed 's/:func /:/' | sort); \
	[ $$found -gt 0 ] || { echo "make fuzz: there is no fuzz target" >&2; exit 1; }; \
	echo "fuzz: $$found targets"

.PHONY: bench
bench: kube ## benchmarks
	@ls bench/*_test.go >/dev/null 2>&1 || { echo "make bench: not available yet: bench/ has no benchmark" >&2; exit 1; }
	$(GO) test -run='^$$' -bench=. ./bench/...

CHAOS_SECONDS ?= 60

.PHONY: chaos
chaos: ## the embedded Konnect and its clients killed, with faults injected, each for CHAOS_SECONDS (default 60)
	$(call counted,CHAOS_SECONDS=$(CHAOS_SECONDS) $(GO) test -count=1 -v -timeout 30m ./test/chaos/...)

.PHONY: differ
differ: build ## compare bin/kongctl with another build over generated cases: make differ OLD=FILE
	$(GO) run ./test/differ -old "$(OLD)" -new bin/kongctl

.PHONY: docs
docs: ## the generated parts of the documentation: the import graph, the counts, the reference of resource types, the pages of commands
	$(GO) test -count=1 ./internal/archtest -run '^TestImportGraph$$' -update
	$(GO) test -count=1 ./internal/konnect/catalog -run '^TestCounts$$' -update
	$(GO) test -count=1 ./internal/konnect/explain -run '^TestReference$$' -update
	$(GO) test -count=1 ./internal/cli -run '^TestCommandPages$$' -update
	$(GO) test -count=1 ./test/picture -run '^TestHouse$$' -update

CHROMIUM ?= chromium

.PHONY: pictures
pictures: build ## docs/pictures, which README.md shows: from the program, with CHROMIUM (default chromium)
	$(GO) run ./test/picture -program bin/kongctl -chromium '$(CHROMIUM)'

.PHONY: contract
contract: ## regenerate internal/konnect/contract from the OpenAPI document pinned in tools/go.mod
	$(GO) generate ./internal/konnect/contract

.PHONY: manual
manual: build ## bin/manual: man pages and completions
	@rm -rf bin/manual && mkdir -p bin/manual/completions
	bin/kongctl manual bin/manual/man && gzip -9n bin/manual/man/*.1
	bin/kongctl completion bash > bin/manual/completions/kongctl.bash
	bin/kongctl completion zsh > bin/manual/completions/_kongctl
	bin/kongctl completion fish > bin/manual/completions/kongctl.fish
	bin/kongctl completion powershell > bin/manual/completions/kongctl.ps1

# The targets of release-snapshot: OS/ARCH, comma-separated, or all of them.
TARGETS ?= $(shell $(GO) env GOOS)/$(shell $(GO) env GOARCH)

.PHONY: release-snapshot
release-snapshot: manual ## dist: archives, deb, rpm and checksums of this machine's target, or of TARGETS=linux/arm64,… or TARGETS=all
	cd tools/release && $(GO) run . -root ../.. -targets '$(TARGETS)' -version '$(VERSION)' -commit '$(COMMIT)' -date '$(DATE)'
