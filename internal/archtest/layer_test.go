package archtest

import (
	"slices"
	"strings"
)

// layers is the order of the rooms within their group: each imports only rooms
// of its group to its left. The reason is what a failure says.
var layers = []struct{ room, reason string }{
	// The core knows no target.
	{"clock", "waiting: everything may wait"},
	{"pattern", "regular expressions: everything may look for some text"},
	{"terminal", "text made harmless: everything that shows something stands on it"},
	{"disk", "files written whole or not at all: it knows nothing of what is in them"},
	{"process", "other programs, none left behind: it knows nothing of what they do"},
	{"value", "values and positions: everything stands on them"},
	{"diag", "diagnostics are made everywhere, so they depend on positions alone"},
	{"event", "events are heard everywhere, so they know none of those who speak"},
	{"graph", "a generic graph: it knows nothing of resources"},
	{"source", "bytes to documents: it does not know what they mean"},
	{"node", "documents as people wrote them: it does not know what they mean"},
	{"resource", "the neutral model: it needs the set, not the world"},
	{"plan", "the document: it decides nothing and does nothing"},
	{"plan/choose", "what a filter leaves out: it works on declarations and state, not on changes"},
	{"plan/build", "decides everything and does nothing"},
	{"plan/guard", "refuses changes of a draft: building does not know the guards"},
	{"plan/derive", "plans from plans: it reads no configuration"},
	{"execute", "reads only the plan: it decides nothing"},
	// Konnect.
	{"konnect/label", "facts about labels: they know nothing of this program"},
	{"konnect/plugin", "plugins of gateways as facts: they know nothing of this program"},
	// The contract leaves the configuration of plugins open, and what is secret in it is a fact about plugins.
	{"konnect/contract", "Konnect's API as facts: it knows nothing of this program"},
	{"konnect/routing", "the language of routes: it knows nothing of this program"},
	{"konnect/catalog", "types are data bound to the contract: no engine shows through"},
	{"konnect/emulator", "the other side of the wire: it must not share the engine it tests"},
	{"konnect/language", "documents to resources: it needs no network and no live state"},
	{"konnect/remote", "it carries out calls and decides nothing"},
	{"konnect/client", "it carries out calls and decides nothing"},
	{"konnect/query", "shows what exists: it changes nothing"},
	{"konnect/token", "access tokens: shown once, never kept"},
	{"konnect/live", "reads what exists: it does not know what is wanted"},
	{"konnect/diff", "compares two values: it does not know where they come from"},
	{"konnect/propose", "says what a call sends and undoes it: pure, it reads and writes nothing"},
	{"konnect/drive", "carries out what the plan says: it decides nothing"},
	{"konnect/export", "the way back, from a snapshot: it changes nothing"},
	{"konnect/restate", "plans of other programs as configuration: it changes nothing"},
	{"konnect/explain", "describes types: it reads no document and calls nothing"},
	{"konnect", "what the engine asks of Konnect: it leads to the others"},
	// Gateway.
	{"gateway", "configuration of control planes: of Konnect it knows the HTTP client and the facts about the API and plugins"},
	// Kubernetes.
	{"kube/object", "objects as data: it knows no cluster"},
	{"kube/group", "files that name an inventory: it needs no cluster"},
	{"kube/function", "programs that change objects: it needs no cluster"},
	{"kube/cluster", "it carries out calls and decides nothing"},
	{"kube/inventory", "what is recorded in the cluster: it applies and deletes nothing else"},
	{"kube/ready", "whether an object is ready: it changes nothing"},
	{"kube/observe", "follows statuses: it changes nothing"},
	{"kube/live", "reads what exists: it changes nothing"},
	{"kube/propose", "says what a call sends: pure, it reads and writes nothing"},
	{"kube/drive", "carries out what the plan says: it decides nothing"},
	{"kube", "what the engine asks of Kubernetes: it leads to the others"},
	// The front.
	{"auth", "tokens reach the engine as values"},
	{"profile", "settings reach the engine as values"},
	{"engine", "the walk: requests in, plans and reports out; it shows nothing"},
	{"policy", "judges plans by what their document says: it makes and changes none"},
	{"patch", "changes documents, whatever they mean: it reads no file"},
	{"lint", "asks rules about documents, whatever they mean: it reads no file"},
	{"view", "renders what happened: nothing but the command line may depend on it"},
	{"cli", "the only room that sees all others; nothing imports it but main"},
}

// group is what a room belongs to. Front and targets import the core, targets
// do not import each other, and the core imports the core alone.
func group(room string) string {
	target, _, _ := strings.Cut(room, "/")
	switch target {
	case "konnect", "gateway", "kube":
		return target
	case "auth", "profile", "policy", "patch", "lint", "view", "cli", "engine":
		return "front"
	}
	return "core"
}

// exempt lists imports that the seam does not allow and that are still there,
// as "from to". The list only shrinks: one that is not needed is a finding.
var exempt []string

// seams are the files of the front that import targets: the list of targets, how
// they are reached, and the verbs that are Konnect's own. The list only shrinks: one
// that imports none is a finding.
var seams = []string{
	"internal/engine/targets.go", "internal/engine/engine.go", "internal/engine/konnect.go", "internal/engine/gateway_reconciler.go", "internal/engine/gateway_problem.go",
	"internal/engine/adopt.go", "internal/engine/export.go", "internal/engine/explain.go", "internal/engine/get.go", "internal/engine/token.go", "internal/engine/call.go",
	"internal/cli/adopt.go", "internal/cli/export.go", "internal/cli/export_error.go", "internal/cli/export_filter.go", "internal/cli/export_region.go", "internal/cli/export_save.go",
	"internal/cli/browse.go", "internal/cli/explain.go", "internal/cli/get.go", "internal/cli/get_complete.go", "internal/cli/get_show.go", "internal/cli/login.go",
	"internal/cli/local.go", "internal/cli/local_export.go", "internal/cli/local_fault.go", "internal/cli/local_reset.go", "internal/cli/local_seed.go", "internal/cli/local_start.go",
	"internal/cli/engine.go", "internal/cli/factory.go", "internal/cli/world.go",
	"internal/cli/fn.go", "internal/cli/fn_source.go", "internal/cli/fn_sink.go", "internal/cli/fn_eval.go", "internal/cli/fn_render.go", "internal/cli/fn_output.go",
	"internal/cli/live.go", "internal/cli/live_flags.go", "internal/cli/live_install.go", "internal/cli/live_inventory.go", "internal/cli/live_options.go", "internal/cli/live_plan.go", "internal/cli/live_run.go", "internal/cli/live_status.go", "internal/cli/live_status_show.go", "internal/cli/live_steps.go",
	"internal/cli/live_init.go", "internal/cli/live_migrate.go",
}

// pure rooms compute: same input, same output.
var (
	pure    = []string{"konnect/diff", "konnect/propose", "plan", "plan/choose", "plan/build", "plan/guard", "plan/derive"}
	outside = []string{"os", "os/exec", "net", "net/http", "math/rand", "math/rand/v2", "crypto/rand"}
)

func rank(room string) int {
	for i, l := range layers {
		if l.room == room {
			return i
		}
	}
	return -1
}

// layerOrder asserts who imports whom. Tests may look to the right.
func layerOrder(exempt []string) func(*tree) []finding {
	return func(t *tree) []finding {
		var out []finding
		for _, p := range t.pkgs {
			from := room(p.dir)
			if from != "" && !forTests(from) && rank(from) < 0 {
				out = append(out, finding{p.dir, "is a room that the list of layers does not have"})
			}
		}
		used := map[string]bool{}
		t.code(func(p *pkg, f *file) {
			from := room(p.dir)
			for _, spec := range f.ast.Imports {
				imported := importPath(spec)
				if slices.Contains(pure, from) && slices.Contains(outside, imported) {
					out = append(out, t.at(spec.Pos(), "%s is pure and may not import %s", from, imported))
				}
				dir, ours := strings.CutPrefix(imported, module)
				if !ours {
					continue
				}
				law := mayImport(p.dir, dir)
				if slices.Contains(seams, f.path) && group(from) == "front" && group(room(dir)) != "front" {
					continue
				}
				if pair := from + " " + room(dir); law != "" && slices.Contains(exempt, pair) {
					used[pair] = true
					continue
				}
				if law != "" {
					out = append(out, t.at(spec.Pos(), "%s may not import %s: %s", p.dir, dir, law))
				}
			}
		})
		for _, pair := range exempt {
			if !used[pair] {
				out = append(out, finding{"layer_test.go", "the exemption " + pair + " is not needed: remove it"})
			}
		}
		return out
	}
}

// mayImport returns the law that an import breaks, or "".
func mayImport(from, to string) string {
	a, b := room(from), room(to)
	switch {
	case forTests(b):
		return b + " is for tests"
	case b == "":
		return "it is not a room of internal/"
	case a == "":
		if b != "cli" {
			return "a program is a shell over cli"
		}
	case a == b:
	case group(a) == group(b):
		if rank(b) > rank(a) {
			return a + " stands to the left of " + b + ": " + reason(a)
		}
	case group(b) == "core":
	case a == "gateway" && (b == "konnect/client" || b == "konnect/plugin" || b == "konnect/routing" || b == "konnect/contract"): // facts that both sides of the wire judge by
	case group(a) == "core":
		return "the core knows no target and nothing of the front"
	case group(b) == "front":
		return "nothing but the front imports the front"
	case group(a) == "front":
		return "only engine/targets.go and the verbs of a target import it"
	default:
		return "targets do not import each other"
	}
	return ""
}

func reason(room string) string {
	if i := rank(room); i >= 0 {
		return layers[i].reason
	}
	return ""
}
