package export

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/pattern"
)

var (
	humps   = pattern.New(`([a-z0-9])([A-Z])`)
	notName = pattern.New(`[^a-z0-9_]+`)
	notLine = pattern.New(`[[:cntrl:]]+`)
)

// Terraform makes import blocks of Konnect's Terraform providers of what was
// read: one for each resource that one of them has. A comment lists the others.
func Terraform(s *Snapshot) *Output {
	var b strings.Builder
	all := s.All()
	refs := newNames(all)
	addresses := map[string]bool{}
	n := 0
	var missing []string
	for _, r := range all {
		id := importID(r)
		if r.external || r.Type.ReadOnly || leftOut(r, s.siblings(r)) || r.Parent != nil && !r.Type.HasBelow(r.Parent.Object.Fields) {
			continue
		}
		name := r.Type.Terraform.Name(r.Type.Kind, r.Object.Fields)
		if name == "" {
			missing = append(missing, fmt.Sprintf("# %s %s\n", r.Type.Kind, notLine.ReplaceAllString(refs.refs[r], " ")))
		}
		if id == "" || name == "" {
			continue
		}
		if n++; n > 1 {
			b.WriteString("\n")
		}
		address := numbered(addresses, "konnect_"+name+"."+terraformName(refs.refs[r])) // refs differ in letters that no name has
		fmt.Fprintf(&b, "import {\n  to       = %s\n  provider = %s\n  id       = %s\n}\n", address, r.Type.Terraform.Provider(), id)
	}
	if len(missing) > 0 {
		if n > 0 {
			b.WriteString("\n")
		}
		b.WriteString("# Konnect's Terraform providers have no resource for:\n" + strings.Join(missing, ""))
	}
	return &Output{Files: []File{{Data: []byte(b.String())}}, Resources: n}
}

// leftOut reports whether an export has nothing of a resource. The order of siblings
// it says with the order of a list, which imports do not have.
func leftOut(r *Resource, siblings []*Resource) bool {
	return saysNothing(r, siblings) && !slices.ContainsFunc(siblings, func(x *Resource) bool { return x.Type.Kind == r.Type.Orders })
}

// terraformName is a name that Terraform takes: it begins with a letter.
func terraformName(ref string) string {
	name := notName.ReplaceAllString(strings.ToLower(ref), "_")
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		name = "_" + name
	}
	return name
}

// importID is by what the provider finds a resource: its id, or an object with
// the ids of its parents.
func importID(r *Resource) string {
	var chain []*Resource
	for x := r; x != nil; x = x.Parent {
		chain = append([]*Resource{x}, chain...)
	}
	params := pathParam.FindAllStringSubmatch(r.Type.ItemPath(), -1)
	if len(params) == 0 || len(params) > len(chain) {
		return ""
	}
	if len(params) == 1 {
		return hcl(chain[0].Object.ID)
	}
	lines := make([]string, len(params))
	if at := slices.IndexFunc(params, func(p []string) bool { return snake(p[1]) == r.Type.MapKey }); at >= 0 {
		own := len(chain) - 1 // the path may have a member before what it belongs to
		chain = slices.Insert(chain[:own:own], at, r)
	}
	for i, p := range params {
		key := snake(p[1])
		switch named := r.Type.Terraform.IDs[key]; {
		case named != "":
			key = named
		case i == len(chain)-1 && r.Type.Shape != catalog.Map:
			key = "id"
		case key == "id": // a parent's: only the resource itself is known by that
			keys := chain[i+1].Type.ParentKeys()
			key = keys[len(keys)-1]
		}
		lines[i] = fmt.Sprintf("    %s = %s\n", key, hcl(chain[i].Object.ID))
	}
	return "jsonencode({\n" + strings.Join(lines, "") + "  })"
}

// snake is the name of a parameter as the provider writes it.
func snake(param string) string {
	return strings.ToLower(humps.ReplaceAllString(strings.TrimSuffix(param, "OrName"), "${1}_$2"))
}

var pathParam = pattern.New(`\{(\w+)\}`)

// hcl is a text of Terraform's language.
func hcl(text string) string {
	return strings.NewReplacer("${", "$${", "%{", "%%{").Replace(fmt.Sprintf("%q", text))
}
