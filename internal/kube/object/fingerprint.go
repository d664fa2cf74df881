package object

import (
	"encoding/base64"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

// Fingerprint is the digest of what a change rests on: which object it is, its
// generation, and what it holds in the fields that the manifest writes; all of
// them where there is no manifest. The values of a Secret are in no digest: its
// resource version is.
func Fingerprint(live *unstructured.Unstructured, manifest map[string]any) string {
	sum := map[string]any{"uid": string(live.GetUID()), "generation": live.GetGeneration()}
	switch {
	case IsSecret(live.GroupVersionKind().GroupKind()):
		sum["version"] = live.GetResourceVersion()
	case manifest == nil:
		sum["fields"] = content(live)
	default:
		sum["fields"] = written(content(live), plainNumbers(manifest))
	}
	return value.Fingerprint(sum)
}

// content is what people and controllers write of an object.
func content(u *unstructured.Unstructured) map[string]any {
	out := u.DeepCopy().Object
	delete(out, "status")
	if meta, ok := out["metadata"].(map[string]any); ok {
		for _, key := range ServerKeys() {
			delete(meta, key)
		}
	}
	return out
}

// ServerKeys are the keys of metadata that the server writes.
func ServerKeys() []string {
	return []string{"managedFields", "resourceVersion", "generation", "uid", "creationTimestamp", "selfLink", "deletionTimestamp", "deletionGracePeriodSeconds"}
}

// written is the part of a value that another one has, too, except for what the
// other one does not show: a digest of a secret may give it away.
func written(live, manifest any) any {
	switch m := manifest.(type) {
	case map[string]any:
		l, ok := live.(map[string]any)
		if !ok {
			return live
		}
		out := map[string]any{}
		for k, v := range m {
			if x, there := l[k]; there {
				out[k] = written(x, v)
			}
		}
		return out
	case []any:
		l, ok := live.([]any)
		if !ok || len(l) != len(m) {
			return len(l)
		}
		out := make([]any, len(l))
		for i := range l {
			out[i] = written(l[i], m[i])
		}
		return out
	case nil:
		return nil
	case string:
		if plan.HoldsHidden(m) || m == plan.UnknownID {
			return nil
		}
	}
	return live
}

// plainNumbers gives the numbers of plain data the form that objects have.
func plainNumbers(fields map[string]any) map[string]any {
	u, err := Make(fields)
	if err != nil {
		return fields
	}
	return u.Object
}

// Recorded is what a plan keeps of a live object: no status, nothing that only the
// server writes except what identifies the state, and no secrets.
func Recorded(u *unstructured.Unstructured, hidden string) (map[string]any, error) {
	c := u.DeepCopy()
	delete(c.Object, "status")
	meta, _ := c.Object["metadata"].(map[string]any)
	delete(meta, "managedFields")
	if annotations, ok := meta["annotations"].(map[string]any); ok {
		delete(annotations, LastApplied)
		if len(annotations) == 0 {
			delete(meta, "annotations")
		}
	}
	if IsSecret(u.GroupVersionKind().GroupKind()) {
		Hide(c.Object, hidden)
	}
	paths, all := SecretPaths(u)
	if HideFields(c.Object, paths, hidden); all {
		HideAll(c.Object, hidden)
	}
	return Fields(c)
}

// LastApplied is where kubectl keeps the whole manifest, secrets and all.
const LastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// Hide puts a text in the place of the secret values of a Secret's fields.
func Hide(fields map[string]any, hidden string) {
	for key, v := range fields {
		values, ok := v.(map[string]any)
		if !ok || !SecretField(key) {
			continue
		}
		for name := range values {
			values[name] = hidden
		}
	}
}

// Sendable is a manifest as it is sent: the plain texts of a Secret are encoded,
// because the server keeps them so and says of nobody that they own the others.
func Sendable(u *unstructured.Unstructured) *unstructured.Unstructured {
	texts, ok := u.Object["stringData"].(map[string]any)
	if !ok || !IsSecret(u.GroupVersionKind().GroupKind()) {
		return u
	}
	c := u.DeepCopy()
	delete(c.Object, "stringData")
	data, _ := c.Object["data"].(map[string]any)
	if data == nil {
		data = map[string]any{}
	}
	for name, v := range texts {
		text, isText := v.(string)
		if !isText {
			c.Object["stringData"] = texts // for the server to refuse
			return c
		}
		data[name] = base64.StdEncoding.EncodeToString([]byte(text))
	}
	c.Object["data"] = data
	return c
}
