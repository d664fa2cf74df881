package cluster

import (
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// answers is a server that gives one answer after the other, the last one
// again and again. It is for answers that an API server gives rarely.
type answers struct {
	*httptest.Server
	mu       sync.Mutex
	list     []http.HandlerFunc
	requests []string // method and path
	tokens   []string
}

func newAnswers(t *testing.T, list ...http.HandlerFunc) *answers {
	t.Helper()
	a := &answers{list: list}
	a.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a.mu.Lock()
		a.requests = append(a.requests, r.Method+" "+r.URL.Path)
		a.tokens = append(a.tokens, r.Header.Get("Authorization"))
		next := a.list[0]
		if len(a.list) > 1 {
			a.list = a.list[1:]
		}
		a.mu.Unlock()
		next(w, r)
	}))
	a.EnableHTTP2 = true
	a.StartTLS()
	t.Cleanup(a.Close)
	return a
}

func (a *answers) count() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.requests)
}

// kubeconfig writes a file that leads to the server; user is that of the file.
func (a *answers) kubeconfig(t *testing.T, user string) string {
	t.Helper()
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.Certificate().Raw})
	file := filepath.Join(t.TempDir(), "config")
	text := fmt.Sprintf(`{apiVersion: v1, kind: Config, current-context: a, contexts: [{name: a, context: {cluster: a, user: a}}],
		clusters: [{name: a, cluster: {server: %q, certificate-authority-data: %s}}], users: [{name: a, user: %s}]}`,
		a.URL, base64.StdEncoding.EncodeToString(ca), user)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func (a *answers) open(t *testing.T, change ...func(*Config)) *Cluster {
	t.Helper()
	config := Config{Kubeconfig: a.kubeconfig(t, "{token: hush-hush}"), Timeout: 5 * time.Second}
	for _, f := range change {
		f(&config)
	}
	c, err := Open(config)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// answer gives a document.
func answer(status int, document string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for i := 0; i < len(headers); i += 2 {
			if headers[i] == "Content-Type" {
				w.Header().Del(headers[i])
			}
			w.Header().Add(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		_, _ = w.Write([]byte(document))
	}
}

// failure gives the status document of an error.
func failure(status int, reason, message string) http.HandlerFunc {
	return failureAfter(status, reason, message, 0)
}

// failureAfter also names when to ask again, as the API server does: in the
// document and in the header.
func failureAfter(status int, reason, message string, seconds int) http.HandlerFunc {
	var headers []string
	if seconds > 0 {
		headers = []string{"Retry-After", fmt.Sprint(seconds)}
	}
	return answer(status, fmt.Sprintf(`{"kind":"Status","apiVersion":"v1","status":"Failure","code":%d,"reason":%q,"message":%q,"details":{"retryAfterSeconds":%d}}`,
		status, reason, message, seconds), headers...)
}

// lost ends the connection without an answer.
func lost(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

const oneConfigMap = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","namespace":"n","uid":"1"}}`

var configMaps = Kind{GroupVersionKind: schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}, Resource: "configmaps", Namespaced: true}

func object(t *testing.T, document string) *unstructured.Unstructured {
	t.Helper()
	u := &unstructured.Unstructured{}
	if err := u.UnmarshalJSON([]byte(document)); err != nil {
		t.Fatal(err)
	}
	return u
}
