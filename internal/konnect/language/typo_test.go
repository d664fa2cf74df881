package language_test

import (
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/language"
	"github.com/kongctl/kongctl/internal/source"
	"github.com/kongctl/kongctl/internal/value"
)

// walked is a document of a folder with one root key.
func walked(key string) []source.Document {
	pos := value.Pos{File: "x.yaml", Line: 1, Column: 1}
	return []source.Document{{File: "x.yaml", Walked: true, Root: value.MapAt(pos,
		value.Entry{Key: key, KeyPos: pos, Value: value.ListAt(pos, nil)})}}
}

func TestMisspeltRootKeysAreErrorsInFolders(t *testing.T) {
	cat := load(t)
	roots := append(cat.RootKeys(), "_defaults", "moved", "external_resources", "organization")
	for _, key := range roots {
		for how, got := range typos(key) {
			if cat.RootKey(got) != nil {
				continue // one is the other's typo
			}
			set, diags := language.Build(cat, walked(got), language.Options{})
			if len(diags) != 1 || diags[0].Code != diag.CfgUnknownRoot || diags[0].Severity != diag.Error {
				t.Errorf("%s instead of %s (%s): %v", got, key, how, diags)
			}
			if len(set.Skipped) != 0 {
				t.Errorf("%s: an error is not skipped: %v", got, set.Skipped)
			}
		}
	}
}

// One run reports all root keys that are none, also those that are near no other.
func TestUnknownRootKeysAreReportedTogether(t *testing.T) {
	docs := walked("portls")
	pos := docs[0].Root.Pos()
	list := value.ListAt(pos, nil)
	docs[0].Root = value.MapAt(pos, value.Entry{Key: "portls", KeyPos: pos, Value: list}, value.Entry{Key: "things", KeyPos: pos, Value: list}, value.Entry{Key: "x-base", KeyPos: pos, Value: list})
	_, diags := language.Build(load(t), docs, language.Options{})
	var named []string
	for _, d := range diags {
		if d.Code == diag.CfgUnknownRoot {
			named = append(named, d.Detail)
		}
	}
	if got := strings.Join(named, " "); len(diags) != 2 || !strings.Contains(got, `"portls"`) || !strings.Contains(got, `"things"`) {
		t.Errorf("reported: %v", diags)
	}
}

func typos(key string) map[string]string {
	last := len(key) - 1
	out := map[string]string{
		"upper case":  strings.ToUpper(key),
		"title case":  strings.ToUpper(key[:1]) + key[1:],
		"doubled":     key + key[last:],
		"letter lost": key[:last/2] + key[last/2+1:],
		"swapped":     key[:last-2] + key[last-1:last] + key[last-2:last-1] + key[last:],
	}
	if strings.HasSuffix(key, "ies") {
		out["singular"] = key[:last-2] + "y"
	} else {
		out["singular"] = strings.TrimSuffix(key, "s")
	}
	if strings.Contains(key, "_") && key[0] != '_' {
		out["with dashes"] = strings.ReplaceAll(key, "_", "-")
		parts := strings.Split(key, "_")
		for i := range parts[1:] {
			parts[i+1] = strings.ToUpper(parts[i+1][:1]) + parts[i+1][1:]
		}
		out["camel case"] = strings.Join(parts, "")
	}
	for how, got := range out {
		if got == key {
			delete(out, how)
		}
	}
	return out
}

// The root keys of what people keep beside their configuration.
const others = `
	version name services networks volumes secrets configs include
	on env jobs permissions concurrency run-name defaults default stages image variables workflow cache script before_script pages
	openapi swagger asyncapi info paths servers components tags security channels definitions
	apiVersion kind metadata spec data resources images patches bases replicas namespace generatorOptions
	replicaCount ingress autoscaling global dependencies maintainers entries generated
	plugins routes consumers upstreams certificates vaults keys targets consumer_groups snis licenses
	hosts tasks vars roles handlers groups rules scrape_configs receivers processors exporters service extensions
	apps app items models model policies settings options users accounts providers provider gateways gateway
	repos linters formatters issues run output excludes nav theme site_name docs parameters outputs Resources
	title description host basePath schemes mode state status types type values steps terraform module`

func TestOtherRootKeysAreSkippedInFolders(t *testing.T) {
	cat := load(t)
	for _, key := range strings.Fields(others) {
		set, diags := language.Build(cat, walked(key), language.Options{})
		if len(diags) != 1 || diags[0].Code != diag.SrcNotASource || diags[0].Severity != diag.Warning {
			t.Errorf("%s: %v", key, diags)
		}
		if len(set.Skipped) != 1 {
			t.Errorf("%s: skipped files: %v", key, set.Skipped)
		}
	}
}

func TestHiddenFilesOfOthersAreNoMatter(t *testing.T) {
	docs := walked("repos")
	docs[0].File = "sub/.pre-commit-config.yaml"
	if set, diags := language.Build(load(t), docs, language.Options{}); len(diags) != 0 || len(set.Skipped) != 0 {
		t.Errorf("%v, skipped %v", diags, set.Skipped)
	}
}
