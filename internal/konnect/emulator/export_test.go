package emulator

import (
	"slices"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/emulator/model"
)

// Ending is a reference of a type and what becomes of the resource when the
// other is deleted.
type Ending struct{ Kind, Field, Target, Ends string }

// Endings lists all references between types of a catalog.
func Endings(cat *catalog.Catalog) []Ending {
	names := map[catalog.Ending]string{catalog.Refuses: "refused", catalog.Cascades: "followed", catalog.Keeps: "ignored"}
	var out []Ending
	for _, b := range cat.All() {
		for _, ref := range b.References {
			if cat.Kind(ref.Kind) == nil {
				continue
			}
			e := Ending{b.Kind, ref.Field, ref.Kind, names[ref.OnDelete]}
			for _, r := range rules() {
				if r.Kind == b.Kind && slices.Contains(r.Forced, ref.Field) {
					e.Ends = "forced"
				}
			}
			out = append(out, e)
		}
	}
	return out
}

// FixedOperations are the operations of the table of fixed answers.
func FixedOperations() []string {
	var out []string
	for _, f := range fixedAnswers() {
		out = append(out, f.Operation)
	}
	return out
}

// rules are the rules of all families.
func rules() (out []model.Rule) {
	for _, f := range families() {
		out = append(out, f.Rules...)
	}
	return out
}

// fixedAnswers are the fixed answers of all families.
func fixedAnswers() (out []model.Fixed) {
	for _, f := range families() {
		out = append(out, f.Fixed...)
	}
	return out
}

// Masked is what the page shows of the bodies of a request.
func (s *Server) Masked(method, path string, request, answer any) (sent, told any) {
	k := s.m.Mask(method, path)
	return k.Request(request), k.Answer(answer)
}
