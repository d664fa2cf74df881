package explain

import "github.com/kongctl/kongctl/internal/konnect/catalog"

// Summary is a family and its types, for programs.
type Summary struct {
	Family string         `json:"family"`
	Title  string         `json:"title"`
	Types  []*TypeSummary `json:"types"`
}

// TypeSummary is a type, for programs.
type TypeSummary struct {
	Resource string   `json:"resource"`
	Class    Class    `json:"class"`
	RootKey  string   `json:"root_key"`
	Aliases  []string `json:"aliases,omitempty"`
	Path     string   `json:"path"`
	Parent   string   `json:"parent,omitempty"`
}

// Overview is all types by family.
func (x *Explainer) Overview() []*Summary {
	var out []*Summary
	for _, f := range catalog.Families() {
		s := &Summary{Family: f.Name, Title: f.Title}
		for _, t := range f.Types {
			b := x.cat.Kind(t.Kind)
			one := &TypeSummary{Resource: b.Kind, Class: class(b), RootKey: b.Root(), Aliases: b.Aliases, Path: nested(b)}
			if b.Parent != nil {
				one.Parent = b.Parent.Kind
			} else {
				one.Path = b.Root() + "[]"
			}
			s.Types = append(s.Types, one)
		}
		out = append(out, s)
	}
	return out
}

// Kinds lists all types. It needs no contract, so that shells can complete them
// quickly.
func Kinds() []string {
	var out []string
	for _, t := range catalog.Types() {
		out = append(out, t.Kind)
	}
	return out
}
