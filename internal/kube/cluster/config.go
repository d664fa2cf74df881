package cluster

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"

	"github.com/kongctl/kongctl/internal/pattern"
)

const defaultNamespace = "default"

// serviceAccount is where a pod finds its credentials.
const serviceAccount = "/var/run/secrets/kubernetes.io/serviceaccount"

// ConfigError is a kubeconfig, or flags for it, that cannot be used.
type ConfigError struct {
	Detail string
	// Fix says what to do.
	Fix string
}

// Error says what is wrong and what to do.
func (e *ConfigError) Error() string { return e.Detail + "; fix: " + e.Fix }

// Misconfigured is true: nothing was asked.
func (*ConfigError) Misconfigured() bool { return true }

// contact is what a configuration says: the connection, the namespace of objects
// that name none, and the context of the kubeconfig, or "".
type contact struct {
	config             *rest.Config
	namespace, context string
}

// load returns what the configuration says.
func load(c Config) (contact, error) {
	env := c.Env
	if env == nil {
		env = func(string) (string, bool) { return "", false }
	}
	files, found, err := kubeconfigs(c, env)
	if err != nil {
		return contact{}, err
	}
	if len(found) == 0 && c.Server == "" {
		config, namespace, err := inCluster(env, serviceAccount)
		if err != nil || config == nil {
			return contact{}, cmpError(err, noConfig(files))
		}
		if c.Context != "" || c.Cluster != "" || c.User != "" {
			return contact{}, &ConfigError{Detail: "--context, --cluster and --user need a kubeconfig, and none was found", Fix: "pass --kubeconfig, or leave them out to use the service account of the pod"}
		}
		if c.Namespace != "" {
			namespace = c.Namespace
		}
		return contact{config: config, namespace: namespace}, nil
	}
	rules := &clientcmd.ClientConfigLoadingRules{Precedence: found}
	raw, err := rules.Load()
	if err != nil {
		return contact{}, unreadable(found)
	}
	if err := chosen(c, raw, found); err != nil {
		return contact{}, err
	}
	config := clientcmd.NewNonInteractiveClientConfig(*raw, c.Context, &clientcmd.ConfigOverrides{
		CurrentContext: c.Context,
		Context:        api.Context{Cluster: c.Cluster, AuthInfo: c.User, Namespace: c.Namespace},
		ClusterInfo:    api.Cluster{Server: c.Server},
	}, rules)
	out, err := config.ClientConfig()
	if err != nil {
		return contact{}, &ConfigError{Detail: where(found) + ": " + reason(err), Fix: "correct it, or choose another context with --context"}
	}
	namespace, _, err := config.Namespace()
	if err != nil || namespace == "" {
		namespace = defaultNamespace
	}
	return contact{config: out, namespace: namespace, context: cmp.Or(c.Context, raw.CurrentContext)}, nil
}

// Named is what a kubeconfig has names for, each sorted.
type Named struct{ Contexts, Clusters, Users []string }

// Names returns what the kubeconfig that a configuration leads to has.
func Names(c Config) (Named, error) {
	env := c.Env
	if env == nil {
		env = func(string) (string, bool) { return "", false }
	}
	_, found, err := kubeconfigs(c, env)
	if err != nil {
		return Named{}, err
	}
	raw, err := (&clientcmd.ClientConfigLoadingRules{Precedence: found}).Load()
	if err != nil {
		return Named{}, unreadable(found)
	}
	return Named{slices.Sorted(maps.Keys(raw.Contexts)), slices.Sorted(maps.Keys(raw.Clusters)), slices.Sorted(maps.Keys(raw.AuthInfos))}, nil
}

func cmpError(err error, other *ConfigError) error {
	if err != nil {
		return err
	}
	return other
}

// kubeconfigs returns the files that are read, and those of them that exist.
func kubeconfigs(c Config, env func(string) (string, bool)) (files, found []string, err error) {
	if c.Kubeconfig != "" {
		files = []string{c.Kubeconfig}
	} else if list, ok := env(clientcmd.RecommendedConfigPathEnvVar); ok && list != "" {
		files = filepath.SplitList(list)
	} else if home, ok := env("HOME"); ok && home != "" {
		files = []string{filepath.Join(home, clientcmd.RecommendedHomeDir, clientcmd.RecommendedFileName)}
	}
	for _, file := range files {
		if file == "" || slices.Contains(found, file) {
			continue
		}
		info, err := os.Stat(file)
		switch {
		case errors.Is(err, fs.ErrNotExist) && c.Kubeconfig == "":
			continue
		case err != nil:
			return nil, nil, &ConfigError{Detail: "kubeconfig " + file + ": " + reason(err), Fix: "correct --kubeconfig or KUBECONFIG"}
		case info.IsDir():
			return nil, nil, &ConfigError{Detail: "kubeconfig " + file + " is a folder", Fix: "name the file, such as " + filepath.Join(file, "config")}
		}
		found = append(found, file)
	}
	return files, found, nil
}

func noConfig(files []string) *ConfigError {
	detail := "no kubeconfig"
	if len(files) > 0 {
		detail += " (" + strings.Join(files, ", ") + ")"
	}
	return &ConfigError{Detail: detail + ", and this is not a pod", Fix: "pass --kubeconfig, or set KUBECONFIG"}
}

var lineNumber = pattern.New(`\bline \d+\b`)

// unreadable says which file is no kubeconfig. What the parser says may quote
// the file, which holds credentials: only the line is taken from it.
func unreadable(files []string) *ConfigError {
	for _, file := range files {
		_, err := clientcmd.LoadFromFile(file)
		if err == nil {
			continue
		}
		detail := "kubeconfig " + file
		var path *fs.PathError
		if errors.As(err, &path) {
			return &ConfigError{Detail: detail + ": " + reason(err), Fix: "make it readable, or pass another one with --kubeconfig"}
		}
		if line := lineNumber.FindString(err.Error()); line != "" {
			detail += ", " + line
		}
		return &ConfigError{Detail: detail + ": not valid YAML of kind Config", Fix: "correct it, or pass another one with --kubeconfig"}
	}
	return &ConfigError{Detail: where(files) + " cannot be merged", Fix: "pass one of them with --kubeconfig"}
}

// chosen refuses names that the kubeconfig does not have.
func chosen(c Config, raw *api.Config, files []string) error {
	current := c.Context
	if current == "" {
		current = raw.CurrentContext
	}
	context := raw.Contexts[current]
	switch {
	case current == "" && c.Server == "" && c.Cluster == "":
		return &ConfigError{Detail: where(files) + " has no current context", Fix: "pass --context" + among(raw.Contexts)}
	case current != "" && context == nil:
		return &ConfigError{Detail: fmt.Sprintf("context %q is not in %s", current, where(files)), Fix: "pass --context" + among(raw.Contexts)}
	case context == nil:
		context = &api.Context{}
	}
	of := func(flag string) string {
		if flag != "" {
			return ""
		}
		return fmt.Sprintf(", which context %q names,", current)
	}
	cluster, user := c.Cluster, c.User
	if cluster == "" {
		cluster = context.Cluster
	}
	if user == "" {
		user = context.AuthInfo
	}
	if cluster != "" && raw.Clusters[cluster] == nil {
		return &ConfigError{Detail: fmt.Sprintf("cluster %q%s is not in %s", cluster, of(c.Cluster), where(files)), Fix: "pass --cluster" + among(raw.Clusters)}
	}
	if user != "" && raw.AuthInfos[user] == nil {
		return &ConfigError{Detail: fmt.Sprintf("user %q%s is not in %s", user, of(c.User), where(files)), Fix: "pass --user" + among(raw.AuthInfos)}
	}
	if c.Server == "" && (cluster == "" || raw.Clusters[cluster].Server == "") {
		return &ConfigError{Detail: fmt.Sprintf("context %q in %s names no server", current, where(files)), Fix: "add it to the cluster of the context, or pass --server"}
	}
	return nil
}

func where(files []string) string {
	switch len(files) {
	case 0:
		return "the configuration"
	case 1:
		return "kubeconfig " + files[0]
	default:
		return "kubeconfigs " + strings.Join(files, ", ")
	}
}

// among lists what can be chosen.
func among[T any](m map[string]T) string {
	names := slices.Sorted(maps.Keys(m))
	const most = 8
	switch {
	case len(names) == 0:
		return ""
	case len(names) > most:
		names = append(names[:most], "…")
	}
	return " with one of: " + strings.Join(names, ", ")
}

// inCluster returns the connection of a pod's service account; nil outside of
// pods.
func inCluster(env func(string) (string, bool), folder string) (*rest.Config, string, error) {
	variable := func(name string) string {
		if v, ok := env(name); ok {
			return v
		}
		return ""
	}
	host, port := variable("KUBERNETES_SERVICE_HOST"), variable("KUBERNETES_SERVICE_PORT")
	file := filepath.Join(folder, "token")
	token, err := os.ReadFile(file)
	if host == "" || port == "" || errors.Is(err, fs.ErrNotExist) {
		return nil, "", nil
	}
	if err != nil {
		return nil, "", &ConfigError{Detail: "service account of the pod: " + reason(err), Fix: "make it readable, or pass --kubeconfig"}
	}
	namespace := variable("POD_NAMESPACE")
	if namespace == "" {
		// A pod without the file is in no namespace of its own.
		text, _ := os.ReadFile(filepath.Join(folder, "namespace"))
		namespace = strings.TrimSpace(string(text))
	}
	if namespace == "" {
		namespace = defaultNamespace
	}
	return &rest.Config{
		Host:            "https://" + net.JoinHostPort(host, port),
		BearerToken:     string(token),
		BearerTokenFile: file,
		TLSClientConfig: rest.TLSClientConfig{CAFile: filepath.Join(folder, "ca.crt")},
	}, namespace, nil
}
