package cli

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"
)

// The settings that say which cluster.
const (
	settingKubeconfig    = "kubernetes.kubeconfig"
	settingKubeContext   = "kubernetes.context"
	settingKubeNamespace = "kubernetes.namespace"
)

// settingNote is the annotation of flags that set a setting although other
// commands have a flag of that name for something else.
const settingNote = "setting"

// addKube adds kubectl's flags for the connection. The values of some are
// settings: the factory finds them.
func addKube(flags *pflag.FlagSet) {
	flags.String("kubeconfig", "", "kubeconfig file (default $KUBECONFIG, else ~/.kube/config)")
	flags.String("context", "", "context of the kubeconfig (default: the current context)")
	flags.StringP("namespace", "n", "", "namespace for Kubernetes objects without one (default: the namespace of the context)")
	flags.String("cluster", "", "cluster of the kubeconfig, instead of the one of the context")
	flags.String("user", "", "user of the kubeconfig, instead of the one of the context")
	flags.StringP("server", "s", "", "URL of the API server, instead of the one of the cluster")
	flags.String("request-timeout", "", "time limit for one request to the API server, such as 30s; 0 means no limit (default 1m)")
	for name, setting := range map[string]string{"kubeconfig": settingKubeconfig, "context": settingKubeContext, "namespace": settingKubeNamespace} {
		_ = flags.SetAnnotation(name, settingNote, []string{setting}) // it was added just above
	}
	titled(flags, groupKubernetes, "kubeconfig", "context", "namespace", "cluster", "user", "server", "request-timeout")
}

// kubeConnection is which API server, by flags and settings.
type kubeConnection struct {
	kubeconfig, context, namespace, cluster, user, server string
	timeout                                               time.Duration
}

// kubeConnection returns which API server the command works on.
func (f *factory) kubeConnection() (c kubeConnection, err error) {
	s, err := f.settings()
	if err != nil {
		return c, err
	}
	c.kubeconfig, c.context, c.namespace = s.String(settingKubeconfig), s.String(settingKubeContext), s.String(settingKubeNamespace)
	if f.flags == nil || f.flags.Lookup("request-timeout") == nil {
		return c, nil
	}
	for name, into := range map[string]*string{"cluster": &c.cluster, "user": &c.user, "server": &c.server} {
		*into = f.flags.Lookup(name).Value.String()
	}
	c.timeout, err = requestTimeout(f.flags.Lookup("request-timeout").Value.String())
	return c, err
}

// requestTimeout reads a duration as kubectl does: a bare number is in seconds.
func requestTimeout(text string) (time.Duration, error) {
	if text == "" {
		return 0, nil // the connection has a bound of its own
	}
	if n, err := strconv.Atoi(text); err == nil && n >= 0 {
		text = strconv.Itoa(n) + "s"
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return 0, usagef("invalid value %q for --request-timeout: want a duration such as 30s", text)
	}
	if d == 0 {
		d = math.MaxInt64
	}
	return d, nil
}

// oneOf finds a word among those that a flag takes, whatever its case.
func oneOf(flag, word string, known ...string) (string, error) {
	for _, k := range known {
		if strings.EqualFold(k, word) {
			return k, nil
		}
	}
	last := len(known) - 1
	return "", usagef("invalid value %q for --%s: use %s or %s", word, flag, strings.Join(known[:last], ", "), known[last])
}
