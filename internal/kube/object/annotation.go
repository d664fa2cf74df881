package object

// Annotation returns an annotation of an object that is plain data; "" where it
// has none.
func Annotation(manifest map[string]any, name string) string {
	metadata, _ := manifest["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	text, _ := annotations[name].(string)
	return text
}
