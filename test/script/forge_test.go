package script

import (
	"encoding/json"
	"os"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

// forge IN OUT PATH=JSON… changes values of a plan and seals it again, as
// anybody can: the seal has no secret. PATH- removes a value.
func forge(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: forge IN OUT [PATH=JSON | PATH-]…")
	}
	data, err := value.Decode([]byte(ts.ReadFile(args[0])))
	ts.Check(err)
	for _, edit := range args[2:] {
		path, text, set := strings.Cut(edit, "=")
		if !set {
			value.Delete(data, value.ParsePath(strings.TrimSuffix(path, "-")))
			continue
		}
		x, err := value.Decode([]byte(text))
		ts.Check(err)
		value.Set(data, value.ParsePath(path), x)
	}
	raw, err := json.Marshal(data)
	ts.Check(err)
	p, err := plan.Parse(raw)
	ts.Check(err)
	sealed, err := p.Write()
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), sealed, 0o600))
}
