package plan

import (
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// Part is what a change does to one part of what it works on, where it changes
// many at once.
type Part struct {
	// Kind and Name are the target's. Name never holds a secret.
	Kind   string `json:"kind"`
	Name   string `json:"name"`
	Action Action `json:"action"`
	// ID is that of a part that is updated or deleted. It is known while a plan is
	// made, and plans keep it in Removes alone.
	ID string `json:"-"`
	// ChangedFields of an update, by path, secrets hidden.
	ChangedFields map[string]OldNew `json:"changed_fields,omitempty"`
	// Fingerprint tells whether the part that is updated or deleted is still the
	// one that was seen. Secrets are no part of it.
	Fingerprint string `json:"fingerprint,omitempty"`
	// Removes is the resource that a part is, where the part is deleted for good and
	// others may refer to it; nil where not.
	Removes *Removal `json:"removes,omitempty"`
}

// Removal is a resource that a change deletes as one of its parts.
type Removal struct {
	Type string `json:"resource_type"`
	ID   string `json:"resource_id"`
	// Users are the fingerprints of what refers to it and keeps doing so, by place.
	Users map[string]string `json:"users,omitempty"`
	// Unread are the types that may refer to it and that the token of the plan may not
	// read.
	Unread []string `json:"unread,omitempty"`
}

// Know notes a user that keeps its reference.
func (x *Removal) Know(u resource.User) {
	if x.Users == nil {
		x.Users = map[string]string{}
	}
	x.Users[u.Place()] = userPrint(u)
}

// UsersUnread reports whether the plan could not know what of a type refers to what
// changes remove as parts.
func UsersUnread(changes []*Change, kind string) bool {
	return slices.ContainsFunc(changes, func(c *Change) bool {
		return slices.ContainsFunc(c.GatewayChanges, func(x Part) bool { return x.Removes != nil && slices.Contains(x.Removes.Unread, kind) })
	})
}

// LostParts are the places of the parts that are deleted for good: what is made
// again under the same name is not among them.
func LostParts(parts []Part) []int {
	type named struct{ kind, name string }
	made := map[named]bool{}
	for _, x := range parts {
		if x.Action == Create {
			made[named{x.Kind, x.Name}] = true
		}
	}
	var out []int
	for i, x := range parts {
		if x.Action == Delete && !made[named{x.Kind, x.Name}] {
			out = append(out, i)
		}
	}
	return out
}

// Called is the part as sentences name it.
func (c Part) Called() string { return resource.WithName(c.Kind, c.Name) }

// Touches reports whether an update changes a field. The time of the last update
// changes with every one.
func (c Part) Touches(field value.Path) bool {
	if len(field) == 1 && field[0] == "updated_at" {
		return true
	}
	for name := range c.ChangedFields {
		if p := value.ParsePath(name); p.HasPrefix(field) || field.HasPrefix(p) {
			return true
		}
	}
	return false
}

// After is what an update makes of a field, secrets hidden; false where it does
// not tell.
func (c Part) After(field value.Path) (any, bool) {
	for name, x := range c.ChangedFields {
		if p := value.ParsePath(name); field.HasPrefix(p) {
			return value.Get(x.New, field[len(p):])
		}
	}
	return nil, false
}

// Dependency is a resource that an attached change makes, or another part that it
// changes, and that the configuration refers to.
type Dependency struct {
	Ref        string `json:"gateway_service_ref"`
	ParentID   string `json:"control_plane_id"`
	ParentName string `json:"control_plane_name,omitempty"`
	File       string `json:"deck_file"`
	Name       string `json:"service_name"`
	// ResourceType and ResourceID are those of a part that exists and that the
	// configuration does not name as made by the change.
	ResourceType string `json:"resource_type,omitempty"`
	ResourceID   string `json:"resource_id,omitempty"`
	// Values are fields that others take, as the change will leave them; what is
	// hidden is not among them.
	Values map[string]any `json:"values,omitempty"`
	// Change is the one that makes it, where there is one.
	Change string `json:"change,omitempty"`
	// Replaces is the id that it has until it is made again.
	Replaces string `json:"replaces,omitempty"`

	// Made is the change that makes it; it becomes Change once ids are given.
	Made *Change `json:"-"`
}

// dependencies checks that attached changes make what the plan lists.
func (v *Validation) dependencies() {
	for _, d := range v.Plan.Dependencies {
		if made := v.byID[d.Change]; d.Change != "" && (made == nil || made.Action != ExternalTool) {
			v.add("deck_dependencies: %s is not a run of %s", d.Change, v.tool())
		}
	}
}

// PartDeletes counts the parts that a change deletes.
func (c *Change) PartDeletes() int {
	n := 0
	for _, g := range c.GatewayChanges {
		if g.Action == Delete {
			n++
		}
	}
	return n
}

// PartsDeleted names the parts that a change deletes, the first ten.
func (c *Change) PartsDeleted() string {
	const few = 10
	var names []string
	for _, g := range c.GatewayChanges {
		if g.Action == Delete {
			names = append(names, g.Kind+" "+g.Name)
		}
	}
	if len(names) > few {
		names = append(names[:few], "…")
	}
	return strings.Join(names, ", ")
}

// GatewayCount counts what decK does to entities.
type GatewayCount struct {
	Creating int `json:"creating"`
	Updating int `json:"updating"`
	Deleting int `json:"deleting"`
}

func (g *GatewayCount) add(changes []Part) {
	for _, c := range changes {
		switch c.Action {
		case Create:
			g.Creating++
		case Update:
			g.Updating++
		case Delete:
			g.Deleting++
		case ExternalTool:
		}
	}
}
