package function

import yaml "go.yaml.in/yaml/v3"

// Selector chooses objects. Everything that it says must fit; a field that is
// empty fits all.
type Selector struct {
	APIVersion, Kind, Name, Namespace string
	Labels, Annotations               map[string]string
}

// Empty reports whether the selector says nothing.
func (s Selector) Empty() bool {
	return s.APIVersion == "" && s.Kind == "" && s.Name == "" && s.Namespace == "" && len(s.Labels) == 0 && len(s.Annotations) == 0
}

func (s Selector) fits(n *yaml.Node) bool {
	meta := field(n, "metadata")
	for _, c := range []struct {
		want string
		have *yaml.Node
	}{
		{s.APIVersion, field(n, "apiVersion")},
		{s.Kind, field(n, "kind")},
		{s.Name, field(meta, "name")},
		{s.Namespace, field(meta, "namespace")},
	} {
		if c.want != "" && c.want != text(c.have) {
			return false
		}
	}
	return within(s.Labels, field(meta, "labels")) && within(s.Annotations, field(meta, "annotations"))
}

func within(want map[string]string, have *yaml.Node) bool {
	for key, value := range want {
		if v := field(have, key); v == nil || text(v) != value {
			return false
		}
	}
	return true
}

// chosen reports whether a function with these selectors gets an object: one of
// the first fits, or the list is empty, and none of the second fits.
func chosen(match, exclude []Selector, n *yaml.Node) bool {
	fits := len(match) == 0
	for _, s := range match {
		fits = fits || s.fits(n)
	}
	for _, s := range exclude {
		if !s.Empty() && s.fits(n) {
			return false
		}
	}
	return fits
}
