package script

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"sigs.k8s.io/kustomize/kyaml/kio"
	"sigs.k8s.io/kustomize/kyaml/kio/kioutil"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// krm is a function for scripts, made with the library that functions for kpt are
// made with. Its first argument says what it does.
func krm() {
	if err := krmRun(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3) //nolint:forbidigo // it stands for main
	}
}

func krmRun(verb string, args []string) error {
	rw := &kio.ByteReadWriter{Reader: os.Stdin, Writer: os.Stdout, KeepReaderAnnotations: true, PreserveSeqIndent: true}
	items, err := rw.Read()
	if err != nil {
		return err
	}
	switch verb {
	case "label":
		items, err = krmLabel(rw, items)
	case "list":
		for _, n := range items {
			fmt.Fprintln(os.Stderr, n.GetKind(), n.GetName(), n.GetAnnotations()[kioutil.PathAnnotation])
		}
	case "drop":
		items = slices.DeleteFunc(items, func(n *yaml.RNode) bool { return n.GetKind() == args[0] })
	case "make":
		items = append(items, yaml.MustParse(strings.Join(args, "\n")))
	case "move":
		for _, n := range items {
			if n.GetKind() == args[0] {
				err = n.PipeE(yaml.SetAnnotation(args[1], args[2]))
			}
		}
	case "check":
		rw.Results = yaml.MustParse(args[0])
	case "json":
		return krmJSON(items)
	case "fail":
		fmt.Fprintln(os.Stderr, strings.Join(args, " "))
		os.Exit(4) //nolint:forbidigo // it stands for main
	case "hang":
		if len(args) > 0 {
			if err := os.WriteFile(args[0], nil, 0o600); err != nil {
				return err
			}
		}
		time.Sleep(time.Hour)
	case "environment":
		for _, e := range os.Environ() {
			name, _, _ := strings.Cut(e, "=")
			fmt.Fprintln(os.Stderr, "has", name)
		}
	default:
		return fmt.Errorf("unknown verb %q", verb)
	}
	if err != nil {
		return err
	}
	return rw.Write(items)
}

// appears FILE waits until there is a file.
func appears(ts *testscript.TestScript, _ bool, args []string) {
	for deadline := time.Now().Add(5 * time.Minute); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if _, err := os.Stat(ts.MkAbs(args[0])); err == nil {
			return
		}
	}
	ts.Fatalf("%s did not appear", args[0])
}

// krmLabel sets the data of the configuration as labels.
func krmLabel(rw *kio.ByteReadWriter, items []*yaml.RNode) ([]*yaml.RNode, error) {
	if rw.FunctionConfig == nil {
		return nil, fmt.Errorf("no configuration")
	}
	data := rw.FunctionConfig.GetDataMap()
	for _, n := range items {
		for _, key := range yaml.SortedMapKeys(data) {
			if err := n.PipeE(yaml.SetLabel(key, data[key])); err != nil {
				return nil, err
			}
		}
	}
	return items, nil
}

// krmJSON writes JSON, without comments and in alphabetical order, as functions in
// other languages do, and gives every Deployment three replicas.
func krmJSON(items []*yaml.RNode) error {
	var objects []map[string]any
	for _, n := range items {
		object, err := n.Map()
		if err != nil {
			return err
		}
		if spec, ok := object["spec"].(map[string]any); ok && object["kind"] == "Deployment" {
			spec["replicas"] = 3
			spec["strategy"] = map[string]any{"type": "Recreate", "note": "yes"}
		}
		objects = append(objects, object)
	}
	return json.NewEncoder(os.Stdout).Encode(map[string]any{"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": objects})
}
