package value

// Places lists the paths of all values that a path leads to which names no places
// of lists: in lists it continues in every item.
func Places(data any, p Path) []Path { return places(nil, data, p) }

func places(at Path, data any, p Path) []Path {
	if len(p) == 0 {
		return []Path{at}
	}
	switch d := data.(type) {
	case map[string]any:
		if next, ok := d[p[0]]; ok {
			return places(at.Child(p[0]), next, p[1:])
		}
	case []any:
		var out []Path
		for i, x := range d {
			out = append(out, places(at.Index(i), x, p)...)
		}
		return out
	}
	return nil
}

// TextsAt lists the texts at all places that a path leads to.
func TextsAt(data any, p Path) []string {
	var out []string
	for _, at := range Places(data, p) {
		v, _ := Get(data, at)
		out = append(out, Texts(v)...)
	}
	return out
}

// Listed is the part of a path that leads to a list whose items the rest is about;
// all of it where there is no such list.
func Listed(data any, p Path) Path {
	for n := 1; n < len(p); n++ {
		v, ok := Get(data, p[:n])
		if _, isList := v.([]any); ok && isList {
			return p[:n]
		}
	}
	return p
}
