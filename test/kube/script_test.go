//go:build real

package kube

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/kongctl/kongctl/test/kubetest"
)

// machineKey finds the machine of a script.
type machineKey struct{}

// TestScripts runs the scripts of testdata against one cluster. Each has a
// namespace of its own, $NS, which its kubeconfig names too, and the name of one
// that does not exist, $NEWNS. Both are also replaced in the script's files.
// $EXAMPLES is the folder with the examples of this repository.
func TestScripts(t *testing.T) {
	server := sharedServer(t)
	p := params("testdata")
	p.Setup = func(env *testscript.Env) error { return setUp(server, env) }
	testscript.Run(t, p)
}

// TestScriptsAlone runs the scripts of testdata/alone, each against a cluster of
// its own, which it may disturb. $OTHER is the kubeconfig of another cluster.
func TestScriptsAlone(t *testing.T) {
	other := sharedServer(t)
	p := params("testdata/alone")
	p.Cmds["api"], p.Cmds["storage"] = api, storage
	p.Setup = func(env *testscript.Env) error {
		server, err := run.start(kubetest.Options{Controllers: true, Kubelet: true})
		if err != nil {
			return err
		}
		env.Defer(func() {
			if err := run.stop(server, false); err != nil {
				t.Error(err)
			}
		})
		if err := setUp(server, env); err != nil {
			return err
		}
		namespace, err := other.Namespace("other")
		if err != nil {
			return err
		}
		config := filepath.Join(env.WorkDir, ".home", "other")
		env.Setenv("OTHER", config)
		return other.Kubeconfig(config, other.URL(), other.CA(), namespace)
	}
	testscript.Run(t, p)
}

func params(dir string) testscript.Params {
	return testscript.Params{
		Dir: dir,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"kongctl":    program("kongctl"),
			"kubectl":    program("kubectl"),
			"kustomize":  program("kustomize"),
			"helm":       program("helm"),
			"pipe":       pipe,
			"exits":      exits,
			"writes":     writes,
			"requests":   requests,
			"status":     status,
			"eventually": eventually,
		},
	}
}

func setUp(server *kubetest.Server, env *testscript.Env) error {
	namespace, err := server.Namespace("s")
	if err != nil {
		return err
	}
	fresh := kubetest.Name("new")
	err = filepath.WalkDir(env.WorkDir, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		return os.WriteFile(file, []byte(strings.NewReplacer("$NS", namespace, "$NEWNS", fresh).Replace(string(raw))), 0o644)
	})
	if err != nil {
		return err
	}
	m, err := newMachine(server, env.WorkDir, namespace)
	if err != nil {
		return err
	}
	env.Defer(m.gate.Close)
	root, err := kubetest.Root()
	if err != nil {
		return err
	}
	for _, v := range append(m.env, "NEWNS="+fresh, "SERVER="+m.gate.URL(), "EXAMPLES="+filepath.Join(root, "examples")) {
		key, value, _ := strings.Cut(v, "=")
		env.Setenv(key, value)
	}
	env.Values[machineKey{}] = m
	return nil
}

func machineOf(ts *testscript.TestScript) *machine { return ts.Value(machineKey{}).(*machine) }

// program makes a command of a program, to be used with and without "!".
func program(name string) func(*testscript.TestScript, bool, []string) {
	return func(ts *testscript.TestScript, neg bool, args []string) {
		expect(ts, neg, ts.Exec(name, args...))
	}
}

func expect(ts *testscript.TestScript, neg bool, err error) {
	switch {
	case err != nil && !neg:
		ts.Fatalf("%v", err)
	case err == nil && neg:
		ts.Fatalf("the command succeeded")
	}
}

// pipe A… | B… hands what A prints to B.
func pipe(ts *testscript.TestScript, neg bool, args []string) {
	expect(ts, neg, shell(ts, args))
}

// exits STATUS COMMAND… runs a command, or a pipe, that must end with the status.
func exits(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: exits STATUS COMMAND [ARGS…]")
	}
	err := shell(ts, args[1:])
	code := "0"
	if err != nil {
		code = strings.TrimPrefix(err.Error(), "exit status ")
	}
	if code != args[0] {
		ts.Fatalf("status %s, not %s", code, args[0])
	}
}

// shell runs a command in which "|" stands between programs.
func shell(ts *testscript.TestScript, args []string) error {
	words := make([]string, len(args))
	for i, arg := range args {
		if words[i] = arg; arg != "|" {
			words[i] = "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
		}
	}
	return ts.Exec("bash", "-o", "pipefail", "-c", strings.Join(words, " "))
}

// writes N fails unless the program, not kubectl, sent N requests that change
// something since the last time.
func writes(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: writes N")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	var sent []string
	for _, r := range machineOf(ts).gate.Take() {
		if r.Write() {
			sent = append(sent, r.Method+" "+r.Path)
		}
	}
	if (len(sent) == want) == neg {
		ts.Fatalf("%d requests were writes:\n%s", len(sent), strings.Join(sent, "\n"))
	}
}

// requests prints what the program sent since the last time, sorted.
func requests(ts *testscript.TestScript, _ bool, _ []string) {
	var lines []string
	for _, r := range machineOf(ts).gate.Take() {
		line := r.Method + " " + r.Path
		if r.DryRun {
			line += " (dry run)"
		}
		lines = append(lines, line+"\n")
	}
	sort.Strings(lines)
	_, err := fmt.Fprint(ts.Stdout(), strings.Join(lines, ""))
	ts.Check(err)
}

// status KIND NAME JSON writes the status of an object, as a controller would.
func status(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: status KIND NAME JSON")
	}
	ts.Check(ts.Exec("kubectl", "patch", args[0], args[1], "--subresource=status", "--type=merge", "-p", `{"status":`+args[2]+`}`))
}

// eventually COMMAND… repeats a command until it succeeds; with "!", until it
// fails.
func eventually(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) == 0 {
		ts.Fatalf("usage: eventually COMMAND [ARGS…]")
	}
	ts.Check(kubetest.Await(strings.Join(args, " "), patience, func() (bool, error) {
		err := shell(ts, args)
		return (err == nil) != neg, err
	}))
}

// api kill|start ends the API server without a goodbye, and starts it again.
func api(ts *testscript.TestScript, _ bool, args []string) {
	switch strings.Join(args, " ") {
	case "kill":
		machineOf(ts).server.KillAPI()
	case "start":
		ts.Check(machineOf(ts).server.StartAPI())
	default:
		ts.Fatalf("usage: api kill|start")
	}
}

// storage full|free makes etcd refuse writes, and take them again.
func storage(ts *testscript.TestScript, _ bool, args []string) {
	switch strings.Join(args, " ") {
	case "full":
		ts.Check(machineOf(ts).server.FillStorage())
	case "free":
		ts.Check(machineOf(ts).server.FreeStorage())
	default:
		ts.Fatalf("usage: storage full|free")
	}
}
