package function

import (
	"errors"
	"fmt"
	"strings"

	yaml "go.yaml.in/yaml/v3"

	"github.com/kongctl/kongctl/internal/kube/object"
)

// The severities of a result.
const (
	SeverityError   = "error"
	SeverityWarning = "warning"
	SeverityInfo    = "info"
)

// Result is what a function has to say about an object.
type Result struct {
	Severity string
	Message  string
	// Object is what it is about; the zero value where the function did not say.
	Object object.ID
	// Field and File say where.
	Field, File string

	node *yaml.Node // as the function wrote it
}

// String shows the result in one line, without its severity.
func (r Result) String() string {
	var about []string
	if r.Object.Kind != "" {
		about = append(about, r.Object.String())
	}
	if r.Field != "" {
		about = append(about, r.Field)
	}
	out := r.Message
	if len(about) > 0 {
		out = strings.Join(about, " ") + ": " + out
	}
	if r.File != "" {
		out += " (" + r.File + ")"
	}
	return out
}

// results reads what a function reported. Some libraries wrap the list.
func results(n *yaml.Node) ([]Result, error) {
	if n != nil && n.Kind == yaml.MappingNode {
		n = field(n, "items")
	}
	if n == nil || n.ShortTag() == "!!null" {
		return nil, nil
	}
	if n.Kind != yaml.SequenceNode {
		return nil, errors.New("its results are not a list")
	}
	var out []Result
	for i, e := range n.Content {
		if e.Kind != yaml.MappingNode {
			return nil, fmt.Errorf("results[%d] is not an object", i)
		}
		ref := field(e, "resourceRef")
		about := idOf(ref)
		if about.Name == "" {
			about.Name, about.Namespace = text(field(ref, "name")), text(field(ref, "namespace"))
		}
		severity := strings.ToLower(text(field(e, "severity")))
		if severity == "" {
			severity = SeverityInfo
		}
		out = append(out, Result{
			Severity: severity, Message: text(field(e, "message")), Object: about,
			Field: text(field(field(e, "field"), "path")), File: text(field(field(e, "file"), "path")), node: e,
		})
	}
	return out, nil
}

// Outcome is what came of one function.
type Outcome struct {
	// Program is the command as it was given.
	Program string
	// Folder is the package whose pipeline it is in; "" for the first one.
	Folder string
	// Validator says that what the function did to objects was dropped.
	Validator bool
	// Given counts the objects that the function got; the others count what it
	// did to them.
	Given, Changed, Added, Removed int
	Results                        []Result
	Stderr                         string
	// Exit is the exit status of the program.
	Exit int
	// Err is why it failed, nil where it did not.
	Err error
}

// Errors counts the results that are errors.
func (o *Outcome) Errors() int {
	n := 0
	for _, r := range o.Results {
		if r.Severity == SeverityError {
			n++
		}
	}
	return n
}

const (
	resultVersion = "kpt.dev/v1"
	resultKind    = "FunctionResultList"
)

// Report returns a FunctionResultList, as kpt writes it.
func Report(outcomes []Outcome) ([]byte, error) {
	items := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
	exit := 0
	for _, o := range outcomes {
		status := o.Exit
		if o.Err != nil && status == 0 {
			status = 1
		}
		exit = max(exit, min(status, 1))
		item := mapping(scalar("exec"), scalar(o.Program))
		if o.Stderr != "" {
			set(item, "stderr", scalar(o.Stderr))
		}
		set(item, "exitCode", number(status))
		if len(o.Results) > 0 {
			list := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
			for _, r := range o.Results {
				if isJSON(r.node) {
					tidy(r.node)
				}
				list.Content = append(list.Content, r.node)
			}
			set(item, "results", list)
		}
		items.Content = append(items.Content, item)
	}
	root := mapping(
		scalar("apiVersion"), scalar(resultVersion), scalar("kind"), scalar(resultKind),
		scalar("metadata"), mapping(scalar("name"), scalar("fnresults")), scalar("exitCode"), number(exit), scalar("items"), items)
	return encode(root, true)
}

func number(n int) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: fmt.Sprint(n)}
}
