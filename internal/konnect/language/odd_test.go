package language_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/gateway"
	"github.com/kongctl/kongctl/internal/konnect/language"
	"github.com/kongctl/kongctl/internal/resource"
)

// TestOddItems writes items of odd shapes under every root key and under every
// key of a child: each is read to its end, and each diagnostic has a place.
func TestOddItems(t *testing.T) {
	cat := load(t)
	shapes := []string{
		"[{ref: u}]", "[{}]", "[null]", "[[]]", "[[{ref: u}]]", "[text]", "[7]", "[{ref: null}]", "[{ref: {}}]", "[!ref x]", "[!env X]",
		"[{ref: u, _external: null}]", "[{ref: u, _external: {}}]", "[{ref: u, _deck: null}]",
		"null", "{}", "text", "7", "{ref: u}", "{u: null}", "{u: {}}", "{u: []}", "!ref x", "!env X",
	}
	var keys []string
	for _, key := range cat.RootKeys() {
		keys = append(keys, key+": %s\n")
	}
	for _, b := range cat.All() {
		if b.Parent == nil {
			continue
		}
		keys = append(keys, b.Parent.Root()+": [{ref: p, "+b.Key+": %s}]\n")
	}
	judged := 0
	for _, key := range keys {
		t.Run(strings.TrimSpace(strings.ReplaceAll(key, "%s", "_")), func(t *testing.T) {
			for _, shape := range shapes {
				text := fmt.Sprintf(key, shape)
				for _, d := range judge(t, text) {
					judged++
					if filepath.Base(d.Pos.File) != "konnect.yaml" || d.Pos.Line == 0 {
						t.Errorf("%s: %s: %s has no place", text, d.Code, d.Detail)
					}
				}
			}
		})
	}
	if judged == 0 {
		t.Error("no diagnostics")
	}
}

// judge reads a configuration as validate does without Konnect.
func judge(t *testing.T, text string) (diags diag.List) {
	t.Helper()
	defer func() {
		if p := recover(); p != nil {
			t.Errorf("%s: panic: %v", text, p)
		}
	}()
	_, diags = language.Build(load(t), read(t, text).Documents, language.Options{Extensions: []resource.Extension{gateway.Extension()}})
	return diags
}
