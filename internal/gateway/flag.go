package gateway

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/pattern"
	"github.com/kongctl/kongctl/internal/value"
)

// allowed are the flags of decK that a configuration may say, and whether they
// take a value.
var allowed = map[string]bool{"select-tag": true, "skip-consumers": false, "parallelism": true}

// off is the one flag that a configuration may say and that changes nothing: kongctl
// always runs decK so.
const off = "analytics=false"

// refusal is why a flag is refused, and what to do instead.
type refusal struct{ why, instead string }

const remove = "remove it"

var (
	where   = refusal{"where decK writes to, and as whom, is kongctl's to say", "remove it, and use kongctl's --region, --base-url and --pat"}
	which   = refusal{"the control plane is the one that the flag stands below", remove}
	input   = refusal{"kongctl hands decK its files", "remove it, and name the files under files"}
	output  = refusal{"kongctl reads what decK says, and shows it itself", remove}
	nothing = refusal{"a control plane of Konnect has no such thing", remove}
)

// refusals are the flags that decK has besides.
var refusals = map[string]refusal{
	"konnect-token": where, "konnect-token-file": where, "konnect-email": where, "konnect-password": where, "konnect-password-file": where,
	"konnect-addr": where, "konnect-control-plane-name": which, "konnect-runtime-group-name": which,
	"headers": where, "kong-addr": where, "kong-cookie-jar-path": where, "timeout": where,
	"tls-skip-verify": where, "tls-server-name": where, "ca-cert": where, "ca-cert-file": where,
	"tls-client-cert": where, "tls-client-cert-file": where, "tls-client-key": where, "tls-client-key-file": where,
	"workspace": nothing, "skip-workspace-crud": nothing, "rbac-resources-only": nothing, "db-update-propagation-delay": nothing,
	"skip-consumers-with-consumer-groups": nothing,
	"config":                              {"kongctl runs decK without a file of settings", remove},
	"state":                               input, "output-file": input, "format": input,
	"json-output": output, "silence-events": output, "no-color": output, "non-zero-exit-code": output,
	"verbose":                         {"it shows requests with the secrets in them", remove},
	"no-mask-deck-env-vars-value":     {"it shows secrets", remove},
	"yes":                             {"kongctl asks once for the whole plan", "remove it, and use kongctl's --auto-approve"},
	"analytics":                       {"kongctl runs decK without analytics", "remove it, or write --" + off},
	"no-delete":                       {"kongctl apply deletes nothing, kongctl sync does", remove},
	"skip-ca-certificates":            {"then a plan would not tell what is there", "remove it, and bound what decK sees with --select-tag"},
	"consumer-group-policy-overrides": {"a file says that for itself", "remove it, and write _info: {consumer_group_policy_overrides: true} in the decK file"},
	"skip-hash-for-basic-auth":        {"a file says that for itself", "remove it, and write _info: {skip_hash_for_basic_auth: true} in the decK file"},
}

// short are the flags of one letter.
var short = map[string]string{"s": "state", "w": "workspace", "o": "output-file"}

// readFlags reads _deck.flags: --flag=value, "--flag value", and a value that
// stands by itself after its flag.
func readFlags(list []value.Value) (Flags, diag.List) {
	var f Flags
	var diags diag.List
	for i := 0; i < len(list); i++ {
		pos := list[i].Pos()
		written, _ := list[i].Text()
		name, v, given := cut(written)
		if name+"="+v == off {
			continue // it is never on
		}
		takes, ok := allowed[name]
		if !ok {
			diags = append(diags, refuse(name, written, pos))
			// What follows may be its value.
			if i+1 < len(list) && !given && isValue(list[i+1]) {
				i++
			}
			continue
		}
		if takes && !given && i+1 < len(list) && isValue(list[i+1]) {
			i++
			v, _ = list[i].Text()
			given = true
		}
		if problem := f.set(name, v, given); problem != "" {
			diags.Add(diag.DeckFlag, pos, fmt.Sprintf("The flag --%s %s.", name, problem), usage[name])
		}
	}
	for _, v := range list {
		written, _ := v.Text()
		f.Written = append(f.Written, written)
	}
	slices.Sort(f.SelectTags)
	f.SelectTags = slices.Compact(f.SelectTags)
	return f, diags
}

var usage = map[string]string{
	"select-tag":     "write --select-tag=TAG, several tags with commas.",
	"skip-consumers": "write --skip-consumers, or leave it out.",
	"parallelism":    "write --parallelism=N, N from 1 to 100.",
}

func isValue(v value.Value) bool {
	s, ok := v.Text()
	return ok && !strings.HasPrefix(s, "-")
}

// cut splits a flag from its value.
func cut(written string) (name, v string, given bool) {
	name = strings.TrimLeft(strings.TrimSpace(written), "-")
	if i := strings.IndexAny(name, "= \t"); i >= 0 {
		name, v, given = name[:i], strings.TrimSpace(name[i+1:]), true
	}
	if long, ok := short[name]; ok {
		name = long
	}
	return name, v, given
}

func (f *Flags) set(name, v string, given bool) (problem string) {
	switch name {
	case "select-tag":
		n := len(f.SelectTags)
		for tag := range strings.SplitSeq(v, ",") {
			if tag = strings.TrimSpace(tag); tag != "" {
				f.SelectTags = append(f.SelectTags, tag)
			}
		}
		if len(f.SelectTags) == n {
			return "needs a tag"
		}
	case "skip-consumers":
		on, err := strconv.ParseBool(v)
		if given && err != nil {
			return "is either there or not"
		}
		f.SkipConsumers = on || !given
	case "parallelism":
		n, err := strconv.Atoi(v)
		if err != nil || n < 1 || n > 100 {
			return "needs a number from 1 to 100"
		}
		f.Parallelism = n
	}
	return ""
}

// flagForm is how a flag looks. What does not may be a value, and a secret.
var flagForm = pattern.New(`^--[a-z]+(-[a-z]+)*$`)

func refuse(name, written string, pos value.Pos) diag.Diagnostic {
	if r, ok := refusals[name]; ok {
		return diag.New(diag.DeckFlag, pos, fmt.Sprintf("The flag --%s is not for a configuration: %s.", name, r.why), r.instead+".")
	}
	known := slices.Sorted(maps.Keys(allowed))
	what, fix := "This flag", fmt.Sprintf("use one of: --%s, --%s.", strings.Join(known, ", --"), off)
	if flagForm.MatchString("--"+name) && strings.HasPrefix(strings.TrimSpace(written), "-") {
		what = "The flag --" + name
	}
	if near := diag.Nearest(name, known); near != "" {
		fix = fmt.Sprintf("did you mean --%s?", near)
	}
	return diag.New(diag.DeckFlag, pos, what+" is not one that kongctl passes to decK.", fix)
}
