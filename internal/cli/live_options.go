package cli

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/kube"
	"github.com/kongctl/kongctl/internal/kube/cluster"
	"github.com/kongctl/kongctl/internal/kube/group"
)

// prepare tells the target what the flags ask for. The file of the ResourceGroup
// is one of the sources where a flag names it.
func (o *objectFlags) prepare(f *factory, sources *sourceFlags) error {
	work, err := f.absolute(".")
	if err != nil {
		return err
	}
	o.stdin = o.stdin || sources.readsStdin()
	dir, err := f.absolute(o.dir)
	if err != nil {
		return err
	}
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return usagef("%s is not a folder", o.dir).WithHint("to read one file, pipe it: %s - < %s", f.command, o.dir)
	}
	out := kube.Options{Options: o.options(), Work: work, Dir: o.dir, Stdin: o.stdin, Destroy: o.destroy, Client: o.client}
	if o.dir != "" || o.stdin {
		out.Here = dir // one folder is read, or none
	}
	if o.dir == "." {
		out.Dir = "" // the current folder needs no name
	}
	if o.named {
		path := group.Path(work, dir, o.groupFile)
		out.GroupFile = group.Place{Work: work}.Shown(path)
		sources.Files = append(sources.Files, path)
	}
	if o.reconcileGiven {
		out.Reconcile = &o.reconcileTimeout
	}
	if o.deleteGiven {
		out.Delete = &o.deleteTimeout
	}
	if out.Connection, err = f.connection(o.stdin); err != nil {
		return err
	}
	f.kube = out
	return nil
}

// connection is how the API server is reached, by flags and settings.
func (f *factory) connection(stdinTaken bool) (cluster.Config, error) {
	c, err := f.kubeConnection()
	if err != nil {
		return cluster.Config{}, err
	}
	if c.kubeconfig != "" {
		if c.kubeconfig, err = f.absolute(c.kubeconfig); err != nil {
			return cluster.Config{}, err
		}
	}
	n, err := f.maxConcurrency()
	if err != nil {
		return cluster.Config{}, err
	}
	if s, err := f.settings(); err == nil && s.Default("max-concurrency") {
		n = 0 // the connection has a bound of its own
	}
	log, err := f.logger()
	if err != nil {
		return cluster.Config{}, err
	}
	return cluster.Config{
		Log: log, Kubeconfig: c.kubeconfig, Context: c.context, Namespace: c.namespace, Cluster: c.cluster, User: c.user, Server: c.server,
		Timeout: c.timeout, Env: f.world.env, Concurrency: n, UserAgent: "kongctl/" + version, StdinTaken: stdinTaken,
	}, nil
}

// addKubeNames registers completions of the contexts, clusters and users of the
// kubeconfig.
func addKubeNames(f *factory, register func(flag string, complete cobra.CompletionFunc)) {
	for flag, names := range map[string]func(cluster.Named) []string{
		"context": func(n cluster.Named) []string { return n.Contexts },
		"cluster": func(n cluster.Named) []string { return n.Clusters },
		"user":    func(n cluster.Named) []string { return n.Users },
	} {
		register(flag, func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
			f.flags = cmd.Flags()
			c, err := f.connection(false)
			if err != nil {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			named, err := cluster.Names(c)
			if err != nil {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return harmless(names(named)), cobra.ShellCompDirectiveNoFileComp
		})
	}
}
