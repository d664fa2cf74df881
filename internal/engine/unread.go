package engine

import (
	"fmt"
	"slices"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/source"
	"github.com/kongctl/kongctl/internal/value"
)

// unread warns about folders that a sync does not read: it deletes what they
// declare.
func unread(folders []string) diag.List {
	var out diag.List
	for _, name := range folders {
		out = append(out, diag.Warn(diag.FolderUnread, value.Pos{File: name},
			"The folder holds .yaml or .json files, and -f does not read the folders below the one it names.",
			fmt.Sprintf("add -R to read it, or leave it out with --exclude %s/.", name)))
	}
	return out
}

// declaresNothing reports a configuration without a resource, an empty list or a
// namespace: there is nothing to compare. One that says so itself, {}, is what an
// export of an empty Konnect is: a warning is enough.
func (w *Walk) declaresNothing(list diag.List) diag.List {
	docs, set := w.Files.Documents, w.Set
	if len(docs) == 0 || len(set.Resources)+len(set.Namespaces)+len(set.Moves) > 0 || w.Files.Incomplete || w.diags.HasErrors() || list.HasErrors() {
		return nil
	}
	var out diag.List
	empty := func(d source.Document) bool { return d.Root.Kind() == value.Map && len(d.Root.Keys()) == 0 }
	if !slices.ContainsFunc(docs, func(d source.Document) bool { return !empty(d) }) {
		return append(out, diag.Warn(diag.SrcNothingFound, docs[0].Root.Pos(), "The configuration declares nothing, so nothing is compared and nothing is deleted.",
			"declare a resource. To delete all resources of a type with sync, write an empty list, such as portals: []."))
	}
	out.Add(diag.SrcNothingFound, docs[0].Root.Pos(), "The configuration declares nothing.",
		"declare a resource. To delete all resources of a type with sync, write an empty list, such as portals: [].")
	return out
}
