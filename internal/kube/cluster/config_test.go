package cluster

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const kubeconfig = `
apiVersion: v1
kind: Config
current-context: prod
clusters:
- {name: prod, cluster: {server: "https://prod.example.com:6443"}}
- {name: dev, cluster: {server: "https://dev.example.com"}}
- {name: empty, cluster: {}}
users:
- {name: admin, user: {token: hush-hush}}
contexts:
- {name: prod, context: {cluster: prod, user: admin, namespace: shop}}
- {name: dev, context: {cluster: dev, user: admin}}
- {name: lost, context: {cluster: gone, user: admin}}
- {name: nobody, context: {cluster: dev, user: gone}}
- {name: nowhere, context: {cluster: empty, user: admin}}
`

// home is a folder with files; the environment names it as the home.
type home struct {
	dir string
	env map[string]string
}

func newHome(t *testing.T, files map[string]string) *home {
	t.Helper()
	h := &home{dir: t.TempDir()}
	h.env = map[string]string{"HOME": h.dir}
	for name, text := range files {
		file := filepath.Join(h.dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return h
}

func (h *home) lookup(key string) (string, bool) {
	text, ok := h.env[key]
	return strings.ReplaceAll(text, "$HOME", h.dir), ok
}

// one is a kubeconfig with one context, and a user.
func one(user string) string {
	return `{apiVersion: v1, kind: Config, current-context: a, contexts: [{name: a, context: {cluster: a, user: a}}],
		clusters: [{name: a, cluster: {server: "https://a.example.com"}}], users: [{name: a, user: {` + user + `}}]}`
}

func TestOpen(t *testing.T) {
	second := strings.ReplaceAll(strings.ReplaceAll(kubeconfig, "prod", "second"), "dev.example.com", "other.example.com")
	tests := []struct {
		name              string
		env               map[string]string
		config            Config
		server, namespace string
		err               string
	}{
		{name: "the current context of the home folder", server: "https://prod.example.com:6443", namespace: "shop"},
		{name: "a context without a namespace", config: Config{Context: "dev"}, server: "https://dev.example.com", namespace: "default"},
		{name: "flags win", config: Config{Cluster: "dev", Namespace: "mine"}, server: "https://dev.example.com", namespace: "mine"},
		{name: "another server", config: Config{Server: "https://10.0.0.1:443"}, server: "https://10.0.0.1:443", namespace: "shop"},
		{
			name: "several files: the first wins, the others add", env: map[string]string{"KUBECONFIG": "$HOME/.kube/config:$HOME/missing:$HOME/second:"},
			config: Config{Context: "second"}, server: "https://second.example.com:6443", namespace: "shop",
		},
		{
			name: "several files: what both have", env: map[string]string{"KUBECONFIG": "$HOME/.kube/config:$HOME/second"},
			config: Config{Context: "dev"}, server: "https://dev.example.com", namespace: "default",
		},
		{name: "the flag wins over the variable", env: map[string]string{"KUBECONFIG": "$HOME/missing"}, config: Config{Kubeconfig: "$HOME/second"}, server: "https://second.example.com:6443", namespace: "shop"},
		{name: "a server without a kubeconfig", env: map[string]string{"KUBECONFIG": "$HOME/missing"}, config: Config{Server: "http://127.0.0.1:8080"}, server: "http://127.0.0.1:8080", namespace: "default"},

		{name: "an auth-provider", config: Config{Kubeconfig: "$HOME/provider"}, err: `the user for a.example.com has the auth-provider "oidc", which is not supported; fix: use a credential plugin instead (exec in the kubeconfig)`},
		{name: "a token file that is not there", config: Config{Kubeconfig: "$HOME/tokenfile"}, err: "kubeconfig $HOME/tokenfile: open $HOME/gone: no such file or directory; fix: correct it, or choose another context with --context"},
		{name: "a file that is not there", config: Config{Kubeconfig: "$HOME/missing"}, err: "kubeconfig $HOME/missing: stat $HOME/missing: no such file or directory; fix: correct --kubeconfig or KUBECONFIG"},
		{name: "a folder", config: Config{Kubeconfig: "$HOME/.kube"}, err: "kubeconfig $HOME/.kube is a folder; fix: name the file, such as $HOME/.kube/config"},
		{name: "none of the variable is there", env: map[string]string{"KUBECONFIG": "$HOME/missing"}, err: "no kubeconfig ($HOME/missing), and this is not a pod; fix: pass --kubeconfig, or set KUBECONFIG"},
		{name: "no YAML", config: Config{Kubeconfig: "$HOME/broken"}, err: "kubeconfig $HOME/broken, line 3: not valid YAML of kind Config; fix: correct it, or pass another one with --kubeconfig"},
		{name: "no Config", config: Config{Kubeconfig: "$HOME/word"}, err: "kubeconfig $HOME/word: not valid YAML of kind Config; fix: correct it, or pass another one with --kubeconfig"},
		{name: "no current context", config: Config{Kubeconfig: "$HOME/none"}, err: "kubeconfig $HOME/none has no current context; fix: pass --context with one of: a, b"},
		{name: "a context that is not there", config: Config{Context: "x"}, err: `context "x" is not in kubeconfig $HOME/.kube/config; fix: pass --context with one of: dev, lost, nobody, nowhere, prod`},
		{name: "a cluster that is not there", config: Config{Context: "lost"}, err: `cluster "gone", which context "lost" names, is not in kubeconfig $HOME/.kube/config; fix: pass --cluster with one of: dev, empty, prod`},
		{name: "a user that is not there", config: Config{Context: "nobody"}, err: `user "gone", which context "nobody" names, is not in kubeconfig $HOME/.kube/config; fix: pass --user with one of: admin`},
		{name: "a user of the flag that is not there", config: Config{User: "x"}, err: `user "x" is not in kubeconfig $HOME/.kube/config; fix: pass --user with one of: admin`},
		{name: "no server", config: Config{Context: "nowhere"}, err: `context "nowhere" in kubeconfig $HOME/.kube/config names no server; fix: add it to the cluster of the context, or pass --server`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			h := newHome(t, map[string]string{
				".kube/config": kubeconfig, "second": second, "word": "hush-hush", "broken": "users:\n  - token: \"hush-hush\n",
				"provider": one(`auth-provider: {name: oidc, config: {refresh-token: hush-hush}}`), "tokenfile": one(`tokenFile: gone`),
				"none": "{apiVersion: v1, kind: Config, contexts: [{name: a, context: {}}, {name: b, context: {}}]}",
			})
			for key, value := range test.env {
				h.env[key] = value
			}
			test.config.Env = h.lookup
			test.config.Kubeconfig = strings.ReplaceAll(test.config.Kubeconfig, "$HOME", h.dir)
			c, err := Open(test.config)
			if test.err != "" {
				var wrong *ConfigError
				if want := strings.ReplaceAll(test.err, "$HOME", h.dir); !errors.As(err, &wrong) || err.Error() != want {
					t.Errorf("got  %v\nwant %s", err, want)
				}
				if err != nil && strings.Contains(err.Error(), "hush") {
					t.Errorf("the error shows a credential: %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if c.Server() != test.server || c.Namespace() != test.namespace {
				t.Errorf("got %s %s, want %s %s", c.Server(), c.Namespace(), test.server, test.namespace)
			}
		})
	}
}

func TestInCluster(t *testing.T) {
	pod := newHome(t, map[string]string{"token": "hush-hush", "namespace": "shop\n", "ca.crt": ""})
	config, _, err := inCluster(pod.lookup, pod.dir)
	if config != nil || err != nil {
		t.Errorf("outside of a pod: %v, %v", config, err)
	}
	pod.env["KUBERNETES_SERVICE_HOST"], pod.env["KUBERNETES_SERVICE_PORT"] = "10.0.0.1", "443"
	config, namespace, err := inCluster(pod.lookup, pod.dir)
	if err != nil || config.Host != "https://10.0.0.1:443" || config.BearerTokenFile != filepath.Join(pod.dir, "token") || namespace != "shop" {
		t.Errorf("%v, %s, %v", config, namespace, err)
	}
	pod.env["POD_NAMESPACE"] = "own"
	if _, namespace, _ := inCluster(pod.lookup, pod.dir); namespace != "own" {
		t.Errorf("namespace %s", namespace)
	}
	empty := newHome(t, nil)
	if config, _, err := inCluster(pod.lookup, empty.dir); config != nil || err != nil {
		t.Errorf("a pod without a service account: %v, %v", config, err)
	}
}

func TestNames(t *testing.T) {
	h := newHome(t, map[string]string{".kube/config": kubeconfig, "other": one(""), "broken": "{"})
	for file, want := range map[string]string{
		"":       "[dev lost nobody nowhere prod] [dev empty prod] [admin]",
		"other":  "[a] [a] [a]",
		"broken": "",
		"none":   "",
	} {
		c := Config{Env: h.lookup}
		if file != "" {
			c.Kubeconfig = filepath.Join(h.dir, file)
		}
		n, err := Names(c)
		if got := fmt.Sprint(n.Contexts, n.Clusters, n.Users); err == nil && got != want || (err != nil) != (want == "") {
			t.Errorf("%q: %s %v, want %s", file, got, err, want)
		}
	}
}
