package build_test

import (
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/testkit"
)

const named = `control_planes: [{ref: cp, name: cp, cluster_type: TYPE}]
portals: [{ref: dev, name: !ref cp#config.control_plane_endpoint, pages: [{slug: home, content: x}]}]
`

// A root whose name comes from something that is replaced is renamed, not
// replaced: it keeps its children.
func TestNameOfSomethingReplaced(t *testing.T) {
	w := testkit.New(t)
	before, after := strings.Replace(named, "TYPE", "CLUSTER_TYPE_CONTROL_PLANE", 1), strings.Replace(named, "TYPE", "CLUSTER_TYPE_SERVERLESS", 1)
	w.Sync(before)
	w.Settled(testkit.Ask{}, before)
	id := w.State("portal")[0]["id"]
	p := w.Plan(testkit.Ask{AllowReplace: []string{"cp"}}, after)
	testkit.Expect(t, p,
		"1 DELETE control_plane cp",
		"2 CREATE control_plane cp < 1",
		"3 UPDATE portal dev < 2",
	)
	w.Succeed(w.Run(p))
	w.Settled(testkit.Ask{}, after)
	testkit.Equal(t, "the portal", w.State("portal")[0]["id"], id)
}

// What nobody can look for yet waits, and what could be it stays, in apply and
// in sync.
func TestUnknownIdentityIsPending(t *testing.T) {
	const text = `portals:
  - {ref: one, name: one, teams: [{ref: t, name: !ref two#default_domain}]}
  - {ref: two, name: two}
`
	for _, ask := range []testkit.Ask{{}, apply} {
		w := testkit.New(t)
		w.Sync("portals: [{name: one, teams: [{name: old}]}]")
		p := w.Plan(ask, text)
		testkit.Expect(t, p, "1 CREATE portal two")
		if len(p.Pending) != 1 || p.Pending[0].ResourceRef != "t" || p.Pending[0].WaitsFor != "two" {
			t.Errorf("pending: %+v", p.Pending)
		}
		w.Succeed(w.Run(p))
		w.Succeed(w.Run(w.Plan(ask, text)))
		w.Settled(ask, text)
	}
}

// The id of something new is in nothing that exists: no need to wait.
func TestIdentityWithANewID(t *testing.T) {
	w := testkit.New(t)
	w.Sync("portals: [{name: old}]\napis: [{name: a, publications: [{portal: old}]}]")
	p := w.Plan(apply, "portals: [{name: new}]\napis: [{name: a, publications: [{portal: new}]}]")
	testkit.Expect(t, p, "1 CREATE portal new", "2 CREATE api_publication a-new < 1")
}

// A certificate is known by its blocks: what tools write before and after them does
// not make another one of it.
func TestCertificateWithPreamble(t *testing.T) {
	w := testkit.New(t)
	cert, _ := testkit.Certificate(t, "one", testkit.Epoch())
	w.File("plain.pem", cert)
	w.File("text.pem", "Certificate:\n    Data:\n        Version: 3 (0x2)\n"+cert)
	config := func(name string) string {
		return "control_planes: [{name: cp, data_plane_certificates: [{cert: !file " + name + "}]}]"
	}
	w.Sync(config("plain.pem"))
	testkit.Expect(t, w.Plan(testkit.Ask{}, config("text.pem")))
	testkit.Expect(t, w.Plan(apply, config("text.pem")))
}
