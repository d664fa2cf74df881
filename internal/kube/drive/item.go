package drive

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/kube/object"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

// doing is what a change does.
type doing int

const (
	apply  doing = iota // an object
	remove              // an object
	detach              // an object is kept, and is nobody's then
	record              // the inventory is written
	forget              // the inventory is deleted
)

// item is a change of this target.
type item struct {
	call *execute.Call
	does doing
	gvk  schema.GroupVersionKind
	id   object.ID
	// substitutions take values of other objects in.
	substitutions []object.Substitution
	// dependsOn are the objects that the annotation of the manifest names.
	dependsOn []object.ID
	// needs are the names of what must be ready before, and no change is about.
	needs []string
}

// detachMark ends the endpoint of a change that only removes the owner.
const detachMark = "#detach"

// item makes a change one of this target; what is wrong with it is its problem.
func (s *site) item(c *execute.Call) *item {
	it := &item{call: c}
	it.gvk, _ = object.ParseType(c.Change.ResourceType)
	it.does = doingOf(c.Change, it.gvk)
	it.id = object.ID{Group: it.gvk.Group, Kind: it.gvk.Kind}
	from := c.Fields
	if it.does == remove || it.does == forget {
		from = c.Change.CurrentState
	}
	metadata, _ := from["metadata"].(map[string]any)
	it.id.Name, _ = metadata["name"].(string)
	it.id.Namespace, _ = metadata["namespace"].(string)
	if it.id.Name != "" {
		c.Name = it.id.String()
	}
	if c.Problem == nil {
		c.Problem = s.problem(it)
	}
	return it
}

func doingOf(c *plan.Change, gvk schema.GroupVersionKind) doing {
	group := gvk == object.GroupGVK()
	switch {
	case c.Action == plan.Delete && group:
		return forget
	case c.Action == plan.Delete:
		return remove
	case group:
		return record
	case c.Action == plan.Update && strings.HasSuffix(c.ExecutionContext.APIEndpoint, detachMark):
		return detach
	default:
		return apply
	}
}

// problem is why a change cannot be carried out.
func (s *site) problem(it *item) error {
	c := it.call.Change
	switch {
	case it.gvk.Kind == "":
		return fmt.Errorf("%q is not a kind of Kubernetes objects", c.ResourceType)
	case it.id.Name == "":
		return errors.New("the plan does not name the object (metadata.name)")
	case (it.does == remove || it.does == detach || it.does == forget) && c.ResourceID == "":
		return errors.New("the plan does not say which object it means (resource_id)")
	case it.does == remove && s.scope.Options.Policy == object.Strict && object.Annotation(c.CurrentState, object.Owner) != s.scope.Inventory.ID:
		return fmt.Errorf("the plan deletes an object that the inventory %s does not own", s.scope.Inventory.ID)
	case it.does == apply:
		return s.incomplete(it)
	case it.does == record:
		return keeper{s}.tooLarge(it)
	default:
		return nil
	}
}

// incomplete is what a manifest that is applied lacks.
func (s *site) incomplete(it *item) error {
	manifest := it.call.Fields
	apiVersion, kind := it.gvk.ToAPIVersionAndKind()
	switch {
	case manifest["apiVersion"] != apiVersion || manifest["kind"] != kind:
		return fmt.Errorf("the plan applies another kind of object: %v %v", manifest["apiVersion"], manifest["kind"])
	case object.Annotation(manifest, object.Owner) != s.scope.Inventory.ID:
		return fmt.Errorf("the plan applies an object for another inventory than %s", s.scope.Inventory.ID)
	}
	var err error
	if it.substitutions, err = object.Substitutions(manifest); err != nil {
		return err
	}
	if text := object.Annotation(manifest, object.DependsOn); text != "" {
		if it.dependsOn, err = object.ParseDependsOn(text); err != nil {
			return err
		}
	}
	return s.reveal(it)
}

// reveal puts in the values of a Secret that travel beside the plan.
func (s *site) reveal(it *item) error {
	if !object.IsSecret(it.gvk.GroupKind()) {
		return nil
	}
	beside, _ := s.in.Beside[object.Target].(map[string]map[string]any)
	values := beside[it.call.Change.ResourceRef]
	for _, path := range slices.Sorted(maps.Keys(values)) {
		p := value.ParsePath(path)
		value.Set(it.call.Fields, p, value.Clone(values[path]))
		it.call.Secrets = append(it.call.Secrets, value.Texts(values[path])...)
	}
	for key, v := range it.call.Fields {
		if object.SecretField(key) && holdsHidden(v) {
			return fmt.Errorf("the values of %s came from standard input and are not in the plan: run the command again", it.id)
		}
	}
	return nil
}

func holdsHidden(v any) bool {
	switch v := v.(type) {
	case string:
		return v == plan.Hidden
	case map[string]any:
		for _, x := range v {
			if holdsHidden(x) {
				return true
			}
		}
	}
	return false
}

// hides reports whether a field may hold a secret: in a Secret, where the manifest
// has one, or where a value of a Secret may be put in.
func (it *item) hides(p value.Path) bool {
	return object.IsSecret(it.gvk.GroupKind()) && object.SecretField(p[0]) ||
		slices.ContainsFunc(it.substitutions, func(s object.Substitution) bool { return object.IsSecret(s.Source.GroupKind()) }) ||
		slices.ContainsFunc(it.call.Change.SecretWrites, func(e plan.Expression) bool {
			at := value.ParsePath(e.Field)
			return at.HasPrefix(p) || p.HasPrefix(at)
		})
}

// defines returns the kind that the object defines when it is applied.
func (it *item) defines() (schema.GroupKind, bool) {
	if !it.id.IsCRD() || it.does != apply {
		return schema.GroupKind{}, false
	}
	return definedIn(it.call.Fields)
}

// definedIn returns the kind that a definition is of.
func definedIn(fields map[string]any) (schema.GroupKind, bool) {
	spec, _ := fields["spec"].(map[string]any)
	names, _ := spec["names"].(map[string]any)
	var out schema.GroupKind
	out.Group, _ = spec["group"].(string)
	out.Kind, _ = names["kind"].(string)
	return out, out.Kind != ""
}
