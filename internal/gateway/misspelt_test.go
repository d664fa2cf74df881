package gateway

import (
	"strings"
	"testing"
)

// TestFixesOfEntities: what is misspelt is called unknown, once and with a
// suggestion; URLs are judged by the parts that decK makes of them.
func TestFixesOfEntities(t *testing.T) {
	for content, want := range map[string]string{
		"servces: [{name: a, host: h}]":                                  "did you mean services?",
		"services: [{name: a, hst: h}]":                                  "did you mean host?",
		"services: [{name: a, host: h, routes: [{name: r, path: [/]}]}]": "did you mean paths?",
		"services: [{name: a, url: 'foo://h/'}]":                         "the protocol is not one of",
		"services: [{name: a, url: 'http://h:80bad/'}]":                  "it is not a URL",
		"services: [{name: a, url: 'http:///x'}]":                        "it has no host",
		"routes: [{name: r, methods: ['GE T']}]":                         "write a method such as GET or POST.",
		"routes: [{name: r, methods: ['get']}]":                          "write GET.",
	} {
		diags, err := Validate(t.Context(), Request{Mode: Sync, Files: []File{{Name: "kong.yaml", Content: []byte(content)}}}, Facts{})
		if err != nil || len(diags) != 1 || !strings.Contains(diags[0].Detail+" "+diags[0].Fix, want) {
			t.Errorf("%s: %v, %v", content, diags.Err(), err)
		}
	}
	for _, fine := range []string{"services: [{name: a, url: 'https://h:8443/x'}]", "services: [{name: a, url: 'http://[::1]:80'}]", "services: [{name: a, url: 'tcp://h:9000'}]"} {
		if diags, err := Validate(t.Context(), Request{Mode: Sync, Files: []File{{Name: "kong.yaml", Content: []byte(fine)}}}, Facts{}); err != nil || len(diags) > 0 {
			t.Errorf("%s: %v, %v", fine, diags.Err(), err)
		}
	}
	_, diags := Read("kong.yaml", []byte("_format_version: \"3.0\"\nconsumers: [{username: a, oauth2_credentials: [{name: x}]}]\n"), func(string) (string, bool) { return "", false })
	if len(diags) > 0 {
		t.Errorf("oauth2_credentials: %v", diags.Err())
	}
}
