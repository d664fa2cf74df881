package source

import (
	"context"
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/value"
)

const png = "\x89PNG\r\n\x1a\n0000"

func TestTags(t *testing.T) {
	work := folder(t, `
-- cfg/spec.yaml --
# kept as it is
info: {version: 1.10, "x.y": dotted}
servers:
- url: https://a
- &s {url: https://b}
all: {<<: *s, n: 0x10}
-- cfg/spec.json --
{"info": {"emoji": "\ud83d\ude00", "list": [1, {"a": null}]}}
-- cfg/odd#name.txt --
odd
-- cfg/logo.svg --
<svg xmlns="x"/>
-- shared/key.pem --
KEY
-- cfg/more.yml --
a: 1
---
b: 2
`)
	write(t, filepath.Join(work, "cfg/logo.bin"), png)
	write(t, filepath.Join(work, "cfg/pixel.gif"), "GIF89a....")
	write(t, filepath.Join(work, "cfg/icon.ico"), "\x00\x00\x01\x00rest")
	write(t, filepath.Join(work, "cfg/photo.jpg"), "\xff\xd8\xff\xe0rest")
	write(t, filepath.Join(work, "cfg/new.webp"), "RIFF\x00\x00\x00\x00WEBPVP8 ")
	spec := "# kept as it is\ninfo: {version: 1.10, \"x.y\": dotted}\nservers:\n- url: https://a\n- &s {url: https://b}\nall: {<<: *s, n: 0x10}\n"
	for _, tc := range []struct {
		text string
		want any
	}{
		{"!ref my-portal", "ref my-portal#id"},
		{"!ref 'My Portal#config.name'", "ref My Portal#config.name"},
		{"!env TOKEN", "env TOKEN#"},
		{"!env TOKEN#a.b", "env TOKEN#a.b"},
		{"!env {var: TOKEN, extract: a.b}", "env TOKEN#a.b"},
		{"!env\n  var: TOKEN", "env TOKEN#"},
		{"!file spec.yaml", spec},
		{"!file ./../cfg/spec.yaml", spec},
		{"!file " + filepath.Join(work, "cfg/spec.yaml"), spec},
		{"!file ../shared/key.pem", "KEY\n"},
		{"!file {path: 'odd#name.txt'}", "odd\n"},
		{"!file spec.yaml#info.version", json.Number("1.10")},
		{"!file {path: spec.yaml, extract: info.version}", json.Number("1.10")},
		{`!file 'spec.yaml#info["x.y"]'`, "dotted"},
		{"!file spec.yaml#servers[1].url", "https://b"},
		{"!file spec.yaml#servers.0.url", "https://a"},
		{"!file spec.yaml#all", map[string]any{"url": "https://b", "n": json.Number("16")}},
		{"!file spec.yaml#all.url", "https://b"},
		{"!file spec.json#info.emoji", "\U0001F600"},
		{"!file spec.json#info.list", []any{json.Number("1"), map[string]any{"a": nil}}},
		{"!file spec.json#info.list.1.a", nil},
		{"!file more.yml#a", json.Number("1")},
		{"!file logo.svg", "data:image/svg+xml;base64,PHN2ZyB4bWxucz0ieCIvPgo="},
		{"!file logo.bin", "data:image/png;base64,iVBORw0KGgowMDAw"},
		{"!file pixel.gif", "data:image/gif;base64,R0lGODlhLi4uLg=="},
		{"!file icon.ico", "data:image/x-icon;base64,AAABAHJlc3Q="},
		{"!file photo.jpg", "data:image/jpeg;base64,/9j/4HJlc3Q="},
		{"!file new.webp", "data:image/webp;base64,UklGRgAAAABXRUJQVlA4IA=="},
		{"!secret {source: !env TOKEN}", "secret #[env TOKEN#]"},
		{"!secret {source: !env {var: TOKEN, extract: a}}", "secret #[env TOKEN#a]"},
		{"!secret {source: !file ../shared/key.pem}", "secret #[file shared/key.pem#]"},
		{"!secret {source: !file spec.json#info.emoji}", "secret #[file cfg/spec.json#info.emoji]"},
		{`!secret {parts: ["Bearer ", !env TOKEN, 5]}`, "secret #[Bearer ][env TOKEN#][5]"},
		{"!lookup {name: X, deep: {region: [!env R]}}", map[string]any{"lookup #": map[string]any{"name": "X", "deep": map[string]any{"region": []any{"env R#"}}}}},
		{"!lookup name:X:Y", map[string]any{"lookup #": map[string]any{"name": "X:Y"}}},
		{"!external id:abc", map[string]any{"lookup #": map[string]any{"id": "abc"}}},
		{"'!ref x'", "!ref x"},
	} {
		t.Run(tc.text, func(t *testing.T) {
			write(t, filepath.Join(work, "cfg/a.yaml"), "k: "+tc.text+"\n")
			r, diags := load(context.Background(), Options{Files: []string{"cfg/a.yaml"}, WorkDir: work})
			if len(diags) > 0 {
				t.Fatalf("load: %v", diags)
			}
			v := r.Documents[0].Root.Field("k")
			if diff := cmp.Diff(tc.want, plainRoot(v)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if want := (value.Pos{File: "cfg/a.yaml", Line: 1, Column: 4}); v.Pos() != want {
				t.Errorf("value is at %v, want %v", v.Pos(), want)
			}
		})
	}
}

func TestAnAliasOfATag(t *testing.T) {
	root := loadOne(t, "a: &s !secret {source: &e !env X}\nb: *s\nc: !secret {source: *e}\nd: {<<: {k: !ref x}}\n")
	want := map[string]any{"a": "secret #[env X#]", "b": "secret #[env X#]", "c": "secret #[env X#]", "d": map[string]any{"k": "ref x#id"}}
	if diff := cmp.Diff(want, plainRoot(root)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
