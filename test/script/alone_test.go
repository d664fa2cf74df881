package script

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// alone FILE fails where anything but a file of --write-generated has one of its
// secrets: what the last command printed, or a file of the script, of the journals and
// logs, too.
func alone(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: alone FILE")
	}
	path := ts.MkAbs(args[0])
	var secrets []string
	for _, line := range strings.Split(strings.TrimSpace(ts.ReadFile(args[0])), "\n") {
		var x struct{ Value string }
		ts.Check(json.Unmarshal([]byte(strings.TrimPrefix(line, "- ")), &x))
		secrets = append(secrets, x.Value)
	}
	search := func(where string, data []byte) {
		for _, s := range secrets {
			if s == "" || bytes.Contains(data, []byte(s)) {
				ts.Fatalf("%s has the secret %q", where, s)
			}
		}
	}
	search("standard output", []byte(ts.ReadFile("stdout")))
	search("standard error", []byte(ts.ReadFile("stderr")))
	ts.Check(filepath.WalkDir(ts.Getenv("WORK"), func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || name == path || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(name)
		search(name, data)
		return err
	}))
}
