package kube

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/kube/object"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/source"
)

const inv = "apiVersion: kpt.dev/v1alpha1\nkind: ResourceGroup\nmetadata: {name: inv, namespace: tools}\n---\n"

// declared makes resources of YAML text.
func declared(t *testing.T, text string) (*resource.Set, []string) {
	t.Helper()
	target := New(Config{})
	docs, list := source.Load(t.Context(), source.Options{
		Files: []string{"-"}, Stdin: strings.NewReader(text), WorkDir: t.TempDir(), Claims: []source.Claim{target.Claim()},
	})
	if list.HasErrors() {
		t.Fatal(list.Err())
	}
	set := &resource.Set{Types: target.types}
	list, err := target.Resources(resource.Documents{List: docs.Documents}, set)
	if err != nil {
		t.Fatal(err)
	}
	_, more := resource.Link(set)
	var codes []string
	for _, d := range slices.Concat(list, more) {
		codes = append(codes, string(d.Code)+" "+d.Pos.String())
	}
	return set, codes
}

func TestRefs(t *testing.T) {
	set, problems := declared(t, inv+`
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Service, metadata: {name: web, namespace: a}}
- {apiVersion: v1, kind: Service, metadata: {name: web, namespace: b}}
- {apiVersion: v1, kind: Service, metadata: {name: other, namespace: b}}
- {apiVersion: v1, kind: ConfigMap, metadata: {name: c, annotations: {kongctl.konghq.com/ref: mine}}}
- {apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: "system:x"}}
- {apiVersion: v1, kind: ConfigMap, metadata: {name: local, annotations: {config.kubernetes.io/local-config: "true"}}}
`)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	got := map[string]string{}
	for _, r := range set.Resources {
		got[r.Ref] = r.Type.Kind
	}
	want := map[string]string{
		"resourcegroup.inv": "k8s:kpt.dev/v1alpha1/ResourceGroup", "service.web.a": "k8s:v1/Service", "service.web.b": "k8s:v1/Service",
		"service.other": "k8s:v1/Service", "mine": "k8s:v1/ConfigMap", "clusterrole.system-x": "k8s:rbac.authorization.k8s.io/v1/ClusterRole",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for ref := range got {
		if !resource.ValidRef(ref) {
			t.Errorf("%q is no ref", ref)
		}
	}
}

func TestOrder(t *testing.T) {
	set, problems := declared(t, inv+`
apiVersion: v1
kind: ConfigMap
metadata: {name: c, namespace: tools}
---
apiVersion: example.com/v1
kind: Thing
metadata: {name: t, annotations: {config.kubernetes.io/depends-on: /namespaces/tools/ConfigMap/c}}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.com}
spec: {group: example.com, scope: Cluster, names: {kind: Thing, plural: things}}
---
apiVersion: v1
kind: Namespace
metadata: {name: tools}
`)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	got := map[string][]string{}
	for _, r := range set.Resources {
		got[r.Ref] = nil
		for _, a := range r.After {
			got[r.Ref] = append(got[r.Ref], a.Ref)
		}
	}
	want := map[string][]string{
		"resourcegroup.inv": {"namespace.tools"}, // its namespace comes before it
		"namespace.tools":   nil,
		"configmap.c":       {"resourcegroup.inv", "namespace.tools"},
		"customresourcedefinition.things.example.com": {"resourcegroup.inv"},
		"thing.t": {"resourcegroup.inv", "customresourcedefinition.things.example.com", "configmap.c"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestMalformedObjects(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"no name", "apiVersion: v1\nkind: ConfigMap\nmetadata: {namespace: a}\n", "KUBE008 stdin:7:11"},
		{"a namespace that is false", "apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: n}\n", "KUBE008 stdin:7:32"},
		{"a generated name", "apiVersion: v1\nkind: Pod\nmetadata: {generateName: a-}\n", "KUBE008 stdin:7:11"},
		{"no metadata", "apiVersion: v1\nkind: ConfigMap\n", "KUBE008 stdin:5:1"},
		{"a label that is a number", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, labels: {x: 1}}\n", "KUBE008 stdin:7:33"},
		{"an annotation that is true", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, annotations: {x: yes}}\n", "KUBE008 stdin:7:38"},
		{"a kind that is none", "apiVersion: v1\nkind: config map\nmetadata: {name: a}\n", "KUBE008 stdin:5:13"},
		{"a dependency outside", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: ns, annotations: {config.kubernetes.io/depends-on: apps/namespaces/ns/Deployment/d}}\n", "KUBE009 stdin:7:83"},
		{"a dependency that cannot be read", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: ns, annotations: {config.kubernetes.io/depends-on: Deployment/d}}\n", "KUBE008 stdin:7:83"},
		{"twice", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n", "CFG006 stdin:11:18"},
		{"a wrong ref", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, annotations: {kongctl.konghq.com/ref: a b}}\n", "CFG004 stdin:7:59"},
		{
			"a circle", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: ns, annotations: {config.kubernetes.io/depends-on: /namespaces/ns/ConfigMap/b}}\n---\n" +
				"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b, namespace: ns, annotations: {config.kubernetes.io/depends-on: /namespaces/ns/ConfigMap/a}}\n", "REF004 ",
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, problems := declared(t, inv+tc.text)
			if !slices.ContainsFunc(problems, func(p string) bool { return strings.HasPrefix(p, tc.want) }) {
				t.Errorf("got %v, want %s", problems, tc.want)
			}
		})
	}
}

func TestKubernetesReadsYAML11(t *testing.T) {
	set, problems := declared(t, inv+"apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {mode: 0644, on: yes, text: \"0644\", version: 1.10}\n")
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	u, err := object.Make(set.Resources[1].Fields.Plain(nil).(map[string]any))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"mode": int64(420), "on": true, "text": "0644", "version": 1.1}
	if diff := cmp.Diff(want, u.Object["spec"]); diff != "" {
		t.Error(diff)
	}
}

func TestRefsThatAreTaken(t *testing.T) {
	_, problems := declared(t, inv+"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, annotations: {kongctl.konghq.com/ref: x}}\n---\n"+
		"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b, annotations: {kongctl.konghq.com/ref: x}}\n")
	if diff := cmp.Diff([]string{"CFG005 stdin:11:59"}, problems); diff != "" {
		t.Error(diff)
	}
}

func TestFoldersOfOtherTools(t *testing.T) {
	const text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"
	for name, row := range map[string]struct {
		files   map[string]string
		destroy bool
		want    []string
	}{
		"plain files": {files: map[string]string{"a.yaml": text}},
		"a kustomization": {
			files: map[string]string{"app/kustomization.yaml": "resources: [a.yaml]\n", "app/a.yaml": text},
			want:  []string{"KUBE018 app/kustomization.yaml: pipe what it makes: kustomize build app | kongctl live apply -; or leave the file out with --exclude app/kustomization.yaml."},
		},
		"the one that is not in a folder below": {
			files: map[string]string{"base/kustomization.yml": "resources: [a.yaml]\n", "base/a.yaml": text, "kustomization.yaml": "resources: [base]\n"},
			want:  []string{"KUBE018 kustomization.yaml: pipe what it makes: kustomize build . | kongctl live apply -; or leave the file out with --exclude kustomization.yaml."},
		},
		"a chart": {
			files: map[string]string{"Chart.yaml": "name: x\n", "templates/a.yaml": "{{ x }}\n", "a.yaml": text},
			want:  []string{"KUBE018 Chart.yaml: pipe what it makes: helm template . | kongctl live apply -; or leave the file out with --exclude Chart.yaml."},
		},
		"to delete needs the inventory alone": {files: map[string]string{"kustomization.yaml": "resources: [a.yaml]\n", "a.yaml": text}, destroy: true},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			row.files["rg.yaml"] = inv
			for file, data := range row.files {
				full := filepath.Join(dir, file)
				if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(full, []byte(data), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			target := New(Config{Options: Options{Work: dir, Here: dir, Destroy: row.destroy}})
			docs, list := source.Load(t.Context(), source.Options{Dirs: []string{"."}, Recursive: true, WorkDir: dir, Claims: []source.Claim{target.Claim()}})
			if list.HasErrors() {
				t.Fatal(list.Err())
			}
			list, err := target.Resources(resource.Documents{List: docs.Documents, Skipped: docs.Skipped, Named: true}, &resource.Set{Types: target.types})
			if err != nil || list.HasErrors() {
				t.Fatal(err, list)
			}
			var got []string
			for _, d := range list {
				got = append(got, string(d.Code)+" "+d.Pos.String()+": "+d.Fix)
			}
			if diff := cmp.Diff(row.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
