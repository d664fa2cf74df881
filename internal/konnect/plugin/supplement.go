package plugin

import (
	_ "embed" // for the supplement
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

//go:embed supplement.yaml
var supplementText []byte

// supplement is what the table leaves out; supplement.yaml says what is in it.
type supplement struct {
	Optional    []string        `yaml:"optional"`
	Secret      []string        `yaml:"secret"`
	Identifiers []string        `yaml:"identifiers"`
	Public      []string        `yaml:"public"`
	Plugins     map[string]more `yaml:"plugins"`
}

// more is what the table leaves out of one plugin.
type more struct {
	Some     []string       `yaml:"some"`
	One      []string       `yaml:"one"`
	Auto     []string       `yaml:"auto"`
	Secret   []string       `yaml:"secret"`
	Filled   []string       `yaml:"filled"`
	Sets     []string       `yaml:"sets"`
	Defaults map[string]any `yaml:"defaults"`
}

func readSupplement(text []byte) (*supplement, error) {
	var out supplement
	dec := yaml.NewDecoder(strings.NewReader(string(text)))
	dec.KnownFields(true)
	if err := dec.Decode(&out); err != nil {
		return nil, fmt.Errorf("supplement: %w", err)
	}
	return &out, nil
}

func (s *supplement) add(p *Plugin) error {
	p.Config.each(func(f *Field) {
		if slices.Contains(s.Optional, f.Name) && f.Kind == KindRecord {
			f.Required = false
		}
		f.Secret = slices.Contains(s.Secret, f.Name)
		f.Identifier = f.Encrypted && slices.Contains(s.Identifiers, f.Name)
	})
	m := s.Plugins[p.Name]
	p.Config.Some, p.Config.One = m.Some, m.One
	for what, paths := range map[string][]string{"auto": m.Auto, "secret": m.Secret, "filled": m.Filled, "sets": m.Sets} {
		for _, path := range paths {
			f, err := p.named(path)
			if err != nil {
				return err
			}
			switch what {
			case "auto":
				f.Auto = true
			case "secret":
				f.Secret = true
			case "filled":
				f.Required = true
			case "sets":
				f.Kind = KindSet
			}
		}
	}
	for path, v := range m.Defaults {
		f, err := p.named(path)
		if err != nil {
			return err
		}
		f.Default, f.HasDefault = v, true
	}
	return nil
}

func (p *Plugin) named(path string) (*Field, error) {
	if f, _ := p.Config.At(strings.Split(path, ".")); f != nil {
		return f, nil
	}
	return nil, fmt.Errorf("supplement: %s has no field %s", p.Name, path)
}

// each calls do for every field below, lists included.
func (f *Field) each(do func(*Field)) {
	for _, x := range f.Fields {
		do(x)
		x.each(do)
	}
	if f.Element != nil {
		f.Element.each(do)
	}
}
