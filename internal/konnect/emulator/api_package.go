package emulator

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/emulator/model"
	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
)

// apiPackage is what the contract cannot express about API packages and what
// lies below them.
func apiPackage() model.Family {
	return model.Family{
		Rules: []model.Rule{
			{Kind: "api_package", Source: model.FromContract, Says: "two API packages may share a name if their versions differ", Unique: []string{"name", "version"}},
			{Kind: "api_package_specification", Source: model.FromContract, Says: "the kind of specification is found out", Fill: kindOfContent},
			{Kind: "api_package_specification", Source: model.FromContract, Says: "the response has the problems of the specification", View: contentProblems},
			{Kind: "api_package_publication", Source: model.FromContract, Says: "the names of what is published and of the portal can be filtered by", View: publicationNames},
			{
				Kind: "api_package_publication", Source: model.FromContract, Says: "a portal with publications is deleted only with force, and they with it (that the answer is a conflict is assumed)",
				Forced: []string{"portal_id"},
			},
			{
				Kind: "api_package_document", Source: model.FromContract, Says: "the content's front matter stands for fields that are left out",
				Expand: frontMatter(catalog.APIPackageDocument.FrontMatter),
			},
			{Kind: "api_package_document", Source: model.FromContract, Says: "the slug is made from the title by default; the title from slug or content (assumed)", Fill: titleAndSlug},
			{Kind: "api_package_document", Source: model.FromContract, Says: "a move counts a negative index backwards from the last place, and takes null for the top, though its schema has no null", Moves: true},
			{Kind: "api_package_operation", Source: model.FromContract, Says: "the response has the operation and its API", View: operationEnds},
			{Kind: "api_package_image", Source: model.FromContract, Says: "the response has the state of an image, not the image; that it is valid at once is assumed", View: imageState},
		},
	}
}

// Kinds of operations: those of APIs, and those that API packages offer.
const (
	operationKind = "api_operation"
	offeredKind   = "api_package_operation"
)

// readOperations gives an API the operations of its specifications, of which one is
// written.
func readOperations(sc model.Scene, r *store.Record) error {
	settleOperations(sc, r.Parent, r)
	return nil
}

// dropOperations takes those away that only a specification has which is gone.
func dropOperations(sc model.Scene, r *store.Record) error {
	if sc.Tx.Get("api", r.Parent) != nil {
		settleOperations(sc, r.Parent, nil)
	}
	return nil
}

func settleOperations(sc model.Scene, api string, written *store.Record) {
	want := map[string]bool{}
	derived := sc.Kind(operationKind).Derived
	read := func(r *store.Record) {
		text, _ := derived.Text(r.Kind, r.Fields)
		for _, o := range derived.Read(text) {
			want[fmt.Sprint(o["method"], " ", o["path"])] = true
		}
	}
	if written != nil {
		read(written)
	}
	for _, from := range derived.From {
		sc.Tx.Range(from.Kind, api, func(r *store.Record) bool {
			if written == nil || r.ID != written.ID {
				read(r)
			}
			return true
		})
	}
	var gone []*store.Record
	sc.Tx.Range(operationKind, api, func(o *store.Record) bool {
		method, _ := o.Fields["method"].(string)
		path, _ := o.Fields["path"].(string)
		if name := method + " " + path; want[name] {
			delete(want, name)
		} else {
			gone = append(gone, o)
		}
		return true
	})
	for _, o := range gone {
		for _, owner := range sc.Linking(offeredKind, o.ID) {
			sc.Tx.Delete(offeredKind, owner.ID+"/"+o.ID)
		}
		sc.Tx.Delete(operationKind, o.ID)
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		method, path, _ := strings.Cut(name, " ")
		sc.Keep(sc.NewRecord(operationKind, api, sc.Now(), map[string]any{"method": method, "path": path}))
	}
}

// operationEnds shows an operation that an API package offers.
func operationEnds(sc model.Scene, r *store.Record, v map[string]any) {
	id, _ := r.Made["operation_id"].(string)
	v["id"] = id
	operation := sc.Tx.Get(operationKind, id)
	if operation == nil {
		return
	}
	v["method"], v["path"] = operation.Fields["method"], operation.Fields["path"]
	if api := sc.Tx.Get("api", operation.Parent); api != nil {
		version, _ := api.Fields["version"].(string)
		v["api"] = map[string]any{"id": api.ID, "name": api.Fields["name"], "version": version}
		v["api_id"] = api.ID
	}
}
