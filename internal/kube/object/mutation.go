package object

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kongctl/kongctl/internal/value"
)

// Substitution takes a value out of another object when an object is applied.
type Substitution struct {
	// Source is the other object. An empty namespace is that of the object that
	// is applied, unless objects of its kind have none.
	Source ID
	// Version is that of the source's API; "" for any.
	Version  string
	From, To FieldPath
	// Token is the part of the field to replace; "" replaces all of it.
	Token string
}

// mutation is one item of the annotation.
type mutation struct {
	SourceRef struct {
		APIVersion string `yaml:"apiVersion"`
		Group      string `yaml:"group"`
		Kind       string `yaml:"kind"`
		Name       string `yaml:"name"`
		Namespace  string `yaml:"namespace"`
	} `yaml:"sourceRef"`
	SourcePath string `yaml:"sourcePath"`
	TargetPath string `yaml:"targetPath"`
	Token      string `yaml:"token"`
}

// Substitutions reads the annotation of an object for mutation at apply time;
// nil where it has none.
func Substitutions(manifest map[string]any) ([]Substitution, error) {
	text := Annotation(manifest, Mutation)
	if text == "" {
		return nil, nil
	}
	var list []mutation
	d := yaml.NewDecoder(strings.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(&list); err != nil {
		return nil, fmt.Errorf("annotation %s: not a list of substitutions with sourceRef, sourcePath, targetPath and token", Mutation)
	}
	out := make([]Substitution, 0, len(list))
	for i, m := range list {
		s, err := m.read()
		if err != nil {
			return nil, fmt.Errorf("annotation %s: item %d: %w", Mutation, i+1, err)
		}
		out = append(out, s)
	}
	return out, nil
}

func (m mutation) read() (Substitution, error) {
	ref := m.SourceRef
	out := Substitution{Source: ID{Group: ref.Group, Kind: ref.Kind, Namespace: ref.Namespace, Name: ref.Name}, Token: m.Token}
	if ref.Group == "" {
		gv, err := schema.ParseGroupVersion(ref.APIVersion)
		if err != nil {
			return out, fmt.Errorf("sourceRef.apiVersion %q: want GROUP/VERSION or VERSION", ref.APIVersion)
		}
		out.Source.Group, out.Version = gv.Group, gv.Version
	}
	switch {
	case ref.Kind == "":
		return out, errors.New("sourceRef.kind is missing")
	case ref.Name == "":
		return out, errors.New("sourceRef.name is missing")
	}
	var err error
	if out.From, err = ParseFieldPath(m.SourcePath); err != nil {
		return out, fmt.Errorf("sourcePath: %w", err)
	}
	if out.To, err = ParseFieldPath(m.TargetPath); err != nil {
		return out, fmt.Errorf("targetPath: %w", err)
	}
	return out, nil
}

// Put writes the value of the source into an object, which it changes. A token
// that the field does not hold leaves it as it is. It returns the value, which
// may be secret.
func (s Substitution) Put(into, source map[string]any) (any, error) {
	v, err := s.From.One(source)
	if err != nil {
		return nil, fmt.Errorf("%s of %s: %w", s.From, s.Source, err)
	}
	if s.Token == "" {
		return v, s.To.Replace(into, value.Clone(v))
	}
	is, err := s.To.One(into)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.To, err)
	}
	text, ok := is.(string)
	if !ok {
		return nil, fmt.Errorf("%s: a token can only be replaced in a text", s.To)
	}
	written, err := textOf(v)
	if err != nil {
		return nil, fmt.Errorf("%s of %s: %w", s.From, s.Source, err)
	}
	return v, s.To.Replace(into, strings.ReplaceAll(text, s.Token, written))
}

// textOf writes a value as it stands in a text: lists and maps as JSON.
func textOf(v any) (string, error) {
	if text, ok := v.(string); ok {
		return text, nil
	}
	raw, err := json.Marshal(v)
	return string(raw), err
}
