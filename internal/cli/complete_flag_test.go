package cli

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// TestEveryFlagCompletes asserts that shells know what to offer for every flag that
// takes a value: what it completes, files, folders, or, where it is listed so, nothing.
func TestEveryFlagCompletes(t *testing.T) {
	f := newConsole(t).factory
	root := newRootCmd(f)
	addCompletions(f, root)
	seen := map[string]bool{}
	for _, cmd := range append(descendants(root), root) {
		cmd.NonInheritedFlags().VisitAll(func(flag *pflag.Flag) {
			seen[flag.Name] = true
			_, completes := cmd.GetFlagCompletionFunc(flag.Name)
			_, marked := flag.Annotations[cobra.BashCompFilenameExt]
			isFile := marked || slices.Contains(fileFlags, flag.Name)
			switch {
			case flag.NoOptDefVal != "":
			case completes && isFile:
				t.Errorf("%s --%s is listed among files, and completes something else", cmd.CommandPath(), flag.Name)
			case !completes && !isFile:
				t.Errorf("%s --%s completes nothing: register a completion, or list it in complete_flag.go", cmd.CommandPath(), flag.Name)
			}
		})
	}
	for _, name := range slices.Concat(fileFlags, folderFlags, freeFlags) {
		if !seen[name] {
			t.Errorf("no command has --%s", name)
		}
	}
}

// TestArgumentsComplete asserts what shells offer for arguments and for values of flags:
// words, then the directive: 0 files too, 4 no files, 6 no space either, 16 folders.
func TestArgumentsComplete(t *testing.T) {
	for _, row := range []struct{ line, want string }{
		{"plan", "konnect gateway :4"},
		{"sync konnect", ":4"},
		{"apply -f a.yaml", "konnect gateway :0"},
		{"live apply", ":16"},
		{"fn source", ":16"},
		{"graph", ":4"},
		{"delete pat", ":4"},
		{"lint", ":0"},
		{"patch file", ":0"},
		{"local start --fault", "429: 500: 503: 503-after: cut-before: cut-after: slow: cut-page: null-data: repeat-page: no-unique :6"},
		{"local start --fault 429:0.1,slow:0.1,c", "429:0.1,slow:0.1,cut-before: 429:0.1,slow:0.1,cut-after: 429:0.1,slow:0.1,cut-page: :6"},
		{"export --filter", "name= id= namespace= type= label. :6"},
		{"export --filter name=x,type=api_pac", "name=x,type=api_package name=x,type=api_package_document name=x,type=api_package_specification name=x,type=api_package_publication name=x,type=api_package_image name=x,type=api_package_operation :4"},
		{"local start --rate", ":4"},
		{"local start --data", ":16"},
		{"plan --policy", ":0"},
		{"live apply --context", "prod :4"},
		{"live apply --user", ":4"},
		{"live status --inv-type", "local remote :4"},
		{"live status --statuses Current,In", "Current,InProgress :6"},
		{"api get /v3/portal", "/v3/portal-roles /v3/portals /v3/portals/ :6"},
		{"api get /v3/portals/ID/p", "/v3/portals/ID/pages /v3/portals/ID/pages/ :6"},
	} {
		c := newConsole(t)
		c.env["KUBECONFIG"] = c.write("kubeconfig", "{apiVersion: v1, kind: Config, contexts: [{name: prod, context: {cluster: c}}, {name: \"$(rm x)\", context: {cluster: c}}], clusters: [{name: c}]}")
		words := strings.Fields(row.line)
		typed := ""
		if last := words[len(words)-1]; strings.ContainsAny(last, ",/") {
			typed = last
		} else {
			words = append(words, typed)
		}
		c.want(0, append([]string{"__complete"}, words...)...)
		offered := strings.Fields(c.out.String())
		// Shells offer only what begins with what was typed.
		offered = slices.DeleteFunc(offered, func(word string) bool { return !strings.HasPrefix(word, typed) && !strings.HasPrefix(word, ":") })
		if got := strings.Join(offered, " "); got != row.want {
			t.Errorf("%s: %q, want %q", row.line, got, row.want)
		}
	}
}
