package lint

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"go.yaml.in/yaml/v3"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/node"
)

// nowhere loads nothing: schemas stand by themselves.
type nowhere struct{}

// Load refuses.
func (nowhere) Load(string) (any, error) {
	return nil, errors.New("a schema refers to another file or address, which is not read")
}

// drafts are the dialects of schemas by Spectral's names.
func drafts() map[string]*jsonschema.Draft {
	return map[string]*jsonschema.Draft{
		"": jsonschema.Draft2020, "auto": jsonschema.Draft2020, "draft4": jsonschema.Draft4, "draft6": jsonschema.Draft6, "draft7": jsonschema.Draft7,
		"draft2019-09": jsonschema.Draft2019, "draft2020-12": jsonschema.Draft2020,
	}
}

func schema(options *yaml.Node) (check, error) {
	if err := only(options, "schema", "allErrors", "dialect"); err != nil {
		return nil, err
	}
	source := node.Child(options, "schema")
	if source == nil {
		return nil, errors.New("schema is missing")
	}
	dialect := ""
	if n := node.Child(options, "dialect"); n != nil {
		dialect = n.Value
	}
	draft := drafts()[dialect]
	if draft == nil {
		return nil, fmt.Errorf("the dialect %q is not known", dialect)
	}
	all := false
	if n := node.Child(options, "allErrors"); n != nil {
		all = node.Plain(n) == true
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(nowhere{})
	c.DefaultDraft(draft)
	c.AssertFormat()
	const name = "ruleset:///schema"
	if err := c.AddResource(name, node.Plain(source)); err != nil {
		return nil, fmt.Errorf("it is not a JSON schema: %w", err)
	}
	compiled, err := c.Compile(name)
	if err != nil {
		return nil, fmt.Errorf("it is not a JSON schema: %w", err)
	}
	return func(t target) []violation {
		if t.node == nil {
			return nil
		}
		var invalid *jsonschema.ValidationError
		if err := compiled.Validate(node.Plain(t.node)); !errors.As(err, &invalid) {
			return nil
		}
		out := leaves(t, invalid)
		if !all && len(out) > 1 {
			return out[:1]
		}
		return out
	}, nil
}

// leaves are the errors that no other explains.
func leaves(t target, e *jsonschema.ValidationError) []violation {
	if _, isUnion := e.ErrorKind.(*kind.OneOf); len(e.Causes) > 0 && !isUnion {
		if _, isAny := e.ErrorKind.(*kind.AnyOf); !isAny {
			var out []violation
			for _, cause := range e.Causes {
				out = append(out, leaves(t, cause)...)
			}
			return out
		}
	}
	return []violation{{text: problem(e.ErrorKind), at: locate(t, e.InstanceLocation)}}
}

// problem is what the library says, without the value.
func problem(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.Pattern:
		return fmt.Sprintf("must match the pattern %q", k.Want)
	case *kind.Format:
		return "is not a valid " + k.Want
	case *kind.Required:
		return "must have " + join(k.Missing)
	case *kind.AdditionalProperties:
		return "must not have " + join(k.Properties)
	case *kind.Type:
		return fmt.Sprintf("must be %s, not %s", join(k.Want), k.Got)
	case *kind.AnyOf, *kind.OneOf:
		return "must fit one of the schemas"
	case *kind.Enum, *kind.Const, *kind.Not, *kind.FalseSchema, *kind.UniqueItems, *kind.Contains, *kind.MinContains, *kind.MaxContains, *kind.MinItems, *kind.MaxItems,
		*kind.MinProperties, *kind.MaxProperties, *kind.MinLength, *kind.MaxLength, *kind.Dependency, *kind.DependentRequired, *kind.AdditionalItems, *kind.PropertyNames:
		return k.LocalizedString(message.NewPrinter(language.English))
	case *kind.Minimum:
		return "must be at least " + k.Want.RatString()
	case *kind.Maximum:
		return "must be at most " + k.Want.RatString()
	case *kind.ExclusiveMinimum:
		return "must be greater than " + k.Want.RatString()
	case *kind.ExclusiveMaximum:
		return "must be less than " + k.Want.RatString()
	case *kind.MultipleOf:
		return "must be a multiple of " + k.Want.RatString()
	default:
		return "does not fit the schema"
	}
}

// locate finds the node that a path of the validator leads to.
func locate(t target, path []string) node.Found {
	out := node.Found{Node: t.node, Path: t.path}
	for _, step := range path {
		next := node.Child(out.Node, step)
		at := node.Below(out.Path, step)
		if out.Node.Kind == yaml.SequenceNode {
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(out.Node.Content) {
				return out
			}
			next, at = out.Node.Content[i], fmt.Sprintf("%s[%d]", out.Path, i)
		}
		if next == nil {
			return out
		}
		out = node.Found{Node: next, Path: at}
	}
	return out
}

func join(list []string) string { return diag.Join(list, "and") }
