// Package cluster is the connection to a Kubernetes API server: how it is
// reached, which kinds it has, and the requests for objects.
//
// In: a kubeconfig and objects. Out: objects, and errors that are asked by
// behaviour. It carries out calls and decides nothing. It must never import a
// typed client, k8s.io/kubectl or anything that plans.
package cluster

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
)

const (
	defaultConcurrency = 32
	defaultTimeout     = 60 * time.Second
	defaultUserAgent   = "kongctl"
)

// Config says how the API server is reached. The fields are those of kubectl's
// flags; the zero value is what kubectl does without flags.
type Config struct {
	// Kubeconfig is the one file to read. Without it the variable KUBECONFIG
	// lists files, and without that it is .kube/config in the home folder. Where
	// there is no file, the service account of a pod is used.
	Kubeconfig string
	Context    string
	Cluster    string
	User       string
	Server     string
	Namespace  string
	// Env looks up environment variables; nil knows none.
	Env func(string) (string, bool)
	// Concurrency bounds the requests at a time; 0 is 32.
	Concurrency int
	// Timeout bounds one attempt of a request; 0 is one minute. Watches have none.
	Timeout time.Duration
	// UserAgent is sent with each request; its part before a slash is the
	// manager of fields that are not applied.
	UserAgent string
	// StdinTaken says that standard input holds manifests, so that a credential
	// plugin must not read it.
	StdinTaken bool
	// Warn hears each warning of the server once; nil drops them.
	Warn func(string)
	// Log gets a line for each request, without its content; nil gets none.
	Log *slog.Logger
}

// Cluster is a connection. Its methods may be called at the same time.
type Cluster struct {
	server    *url.URL
	namespace string
	context   string
	timeout   time.Duration
	plugin    bool // a program supplies the credentials

	client  rest.Interface
	dynamic dynamic.Interface
	slots   chan struct{}
	// answered reports whether the server has answered, and not been given up
	// since: only then it is worth waiting for.
	answered atomic.Bool

	mu      sync.Mutex // held while asking, so that it is done once
	catalog *catalog
	uid     string
	// identified says that uid was asked for.
	identified bool
}

// silence keeps the libraries from writing to standard error by themselves.
var silence = sync.OnceFunc(func() { klog.SetLogger(klog.Logger{}) })

// Open reads the configuration. It sends no request.
func Open(c Config) (*Cluster, error) {
	silence()
	found, err := load(c)
	if err != nil {
		return nil, err
	}
	config := found.config
	server, _, err := rest.DefaultServerUrlFor(config)
	if err != nil {
		return nil, &ConfigError{Detail: fmt.Sprintf("server %q: %s", config.Host, reason(err)), Fix: "set server to https://HOST:PORT in the kubeconfig, or pass --server"}
	}
	out := &Cluster{
		server:    server,
		namespace: found.namespace,
		context:   found.context,
		timeout:   c.Timeout,
		plugin:    config.ExecProvider != nil,
	}
	if out.timeout <= 0 {
		out.timeout = defaultTimeout
	}
	concurrency := c.Concurrency
	if concurrency <= 0 {
		concurrency = defaultConcurrency
	}
	out.slots = make(chan struct{}, concurrency)
	if out.client, err = connect(config, c, server); err != nil {
		return nil, err
	}
	out.dynamic = dynamic.New(out.client)
	return out, nil
}

// connect makes the client of the requests.
func connect(config *rest.Config, c Config, server *url.URL) (rest.Interface, error) {
	config.QPS = -1 // the server bounds its load itself; slots bound ours
	config.UserAgent = c.UserAgent
	if config.UserAgent == "" {
		config.UserAgent = defaultUserAgent
	}
	if config.ExecProvider != nil && c.StdinTaken {
		config.ExecProvider.StdinUnavailable = true
		config.ExecProvider.StdinUnavailableMessage = "it holds manifests"
	}
	config.WarningHandlerWithContext = newWarner(c.Warn)
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return &guard{next: next, server: server, log: c.Log} })
	config = dynamic.ConfigFor(config)
	config.GroupVersion = &schema.GroupVersion{} // paths are absolute
	transport, err := rest.TransportFor(config)
	if err != nil && config.AuthProvider != nil {
		return nil, &ConfigError{Detail: fmt.Sprintf("the user for %s has the auth-provider %q, which is not supported", server.Host, config.AuthProvider.Name), Fix: "use a credential plugin instead (exec in the kubeconfig)"}
	}
	if err != nil {
		return nil, &ConfigError{Detail: "credentials for " + server.Host + ": " + reason(err), Fix: "correct the certificates or the user in the kubeconfig"}
	}
	client, err := rest.UnversionedRESTClientForConfigAndClient(config, &http.Client{Transport: transport, CheckRedirect: sameHost})
	if err != nil {
		return nil, &ConfigError{Detail: "connection to " + server.Host + ": " + reason(err), Fix: "correct the cluster in the kubeconfig"}
	}
	return once{client}, nil
}

// once makes requests that the library does not repeat: it would also repeat
// writes that may have been done.
type once struct{ rest.Interface }

func (o once) Verb(verb string) *rest.Request { return o.Interface.Verb(verb).MaxRetries(0) }
func (o once) Post() *rest.Request            { return o.Interface.Post().MaxRetries(0) }
func (o once) Put() *rest.Request             { return o.Interface.Put().MaxRetries(0) }
func (o once) Get() *rest.Request             { return o.Interface.Get().MaxRetries(0) }
func (o once) Delete() *rest.Request          { return o.Interface.Delete().MaxRetries(0) }

// Patch begins a patch of one kind or another.
func (o once) Patch(t patchType) *rest.Request { return o.Interface.Patch(t).MaxRetries(0) }

// Server returns the address of the API server, as https://host:port.
func (c *Cluster) Server() string { return c.server.Scheme + "://" + c.server.Host }

// Namespace returns the namespace of objects that name none: that of the flag or
// of the context, else "default".
func (c *Cluster) Namespace() string { return c.namespace }

// Context returns the context of the kubeconfig; "" without a kubeconfig.
func (c *Cluster) Context() string { return c.context }

// UID returns what identifies the cluster: the uid of the namespace kube-system;
// "" where the user may not read that.
func (c *Cluster) UID(ctx context.Context) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.identified {
		return c.uid, nil
	}
	u, err := c.Get(ctx, Namespaces, "", metav1.NamespaceSystem)
	var failed *Error
	switch {
	case err == nil:
		c.uid = string(u.GetUID())
	case !errors.As(err, &failed) || !failed.Forbidden():
		return "", err
	}
	c.identified = true
	return c.uid, nil
}
