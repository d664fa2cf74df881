package cli

import (
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/kube"
	"github.com/kongctl/kongctl/internal/policy"
	"github.com/kongctl/kongctl/internal/profile"
	"github.com/kongctl/kongctl/internal/view"
)

// factory hands out what the verbs share. Nothing is made before it is asked
// for: a verb pays only for what it uses.
type factory struct {
	world *world

	// The flags that every command has.
	profileName, configFile string
	anyProfile              bool // the profile need not be in the config file
	noColor                 bool
	diff                    view.Diff
	root                    *cobra.Command
	flags                   *pflag.FlagSet // of the command that runs
	command                 string         // its words, without arguments
	data                    bool           // it writes data where no form is named
	kube                    kube.Options   // what the command asks of clusters

	settings  func() (*profile.Settings, error)
	catalog   func() (*catalog.Catalog, error)
	logger    func() (*slog.Logger, error)
	policy    func() (*policy.Policy, error)
	newEngine func(engineOptions) (backend, error)

	// lines are the events of a run on standard output, where they are asked for.
	lines *view.EventLines

	closers []func() error

	byLogin atomic.Bool // the token is that of a login

	hidden sync.Map // variables that were asked for and hold our token
}

func newFactory(w *world) *factory {
	f := &factory{world: w}
	w.streams = w.streams.guarded(f)
	f.settings = sync.OnceValues(f.loadSettings)
	f.catalog = sync.OnceValues(catalog.Load)
	f.logger = sync.OnceValues(f.openLog)
	f.policy = sync.OnceValues(func() (*policy.Policy, error) { return loadPolicy(f) })
	f.newEngine = f.openBackend
	return f
}

// onClose adds something to do when the command has ended, last one first.
func (f *factory) onClose(do func() error) { f.closers = append(f.closers, do) }

// absolute is a path that does not depend on the current folder.
func (f *factory) absolute(path string) (string, error) { return f.host().Absolute(path) }

func (f *factory) close() error {
	var errs []error
	for i := len(f.closers) - 1; i >= 0; i-- {
		errs = append(errs, f.closers[i]())
	}
	f.closers = nil
	return errors.Join(errs...)
}

// givenSettings is where settings come from.
func givenSettings(f *factory) profile.Source {
	given := map[string]string{}
	if f.flags != nil {
		f.flags.Visit(func(flag *pflag.Flag) {
			name := settingOfFlag[flag.Name]
			if note := flag.Annotations[settingNote]; len(note) > 0 {
				name = note[0]
			}
			if name != "" {
				given[name] = flag.Value.String()
			}
		})
	}
	// Without a home there is no default file, and that is fine.
	configDir, err := f.world.folder("XDG_CONFIG_HOME", ".config")
	if err != nil {
		configDir = ""
	}
	return profile.Source{
		Profile: f.profileName, ConfigFile: f.configFile, AnyProfile: f.anyProfile,
		Env: f.world.env, HomeConfigDir: configDir, Flags: given,
	}
}

func (f *factory) loadSettings() (*profile.Settings, error) {
	s, err := profile.Load(givenSettings(f))
	if err != nil {
		return nil, err
	}
	for _, m := range s.Misspelled(knownSettings(), diag.Nearest) {
		// Without standard error there is nowhere to report to.
		_ = say(f.world.streams.err, "warning: %s:%d: there is no setting %s; did you mean %s?", s.File(), m.Line, m.Name, m.Meant)
	}
	return s, checkEveryCommand(s)
}
