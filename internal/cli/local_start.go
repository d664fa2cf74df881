package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/konnect/emulator"
	"github.com/kongctl/kongctl/internal/konnect/emulator/local"
)

const defaultAddress = "127.0.0.1:8787"

type localStartOptions struct {
	factory    *factory
	foreground bool
	address    string
	// addressed says that --addr was given.
	addressed bool
	seed      string
	intercept bool
	faults    emulator.Faults
}

func newLocalStartCmd(f *factory, runF func(context.Context, *localStartOptions) error) *cobra.Command {
	o := &localStartOptions{factory: f}
	cmd := &cobra.Command{
		Use:   "start",
		Short: "Start the embedded Konnect as a server",
		Example: `  kongctl local start
  kongctl local start --foreground --addr 127.0.0.1:8080 --data ./konnect-data
  kongctl local start --seed portal.yaml
  kongctl local start --latency 30ms±10ms --fault 429:0.05,cut-after:0.01 --rate 50/s
  eval "$(kongctl local start --intercept)"`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.addressed = cmd.Flags().Changed("addr")
			if strings.HasPrefix(o.address, ":") {
				o.address = "127.0.0.1" + o.address // a port alone is this machine's
			}
			if !local.Loopback(o.address) {
				return usagef("--addr %s: not an address of this machine alone", o.address).
					WithHint("use for example 127.0.0.1:8787; port 0 picks a free one.")
			}
			if cmd.Flags().Changed("fault-seed") && o.faults.Seed == 0 {
				return usagef("--fault-seed 0: seeds begin with 1").WithHint("without --fault-seed there is a new one each time.")
			}
			if err := f.checkFaults(o.faults); err != nil {
				return err
			}
			if runF == nil {
				runF = localStartRun
			}
			return runF(cmd.Context(), o)
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&o.foreground, "foreground", false, "run in the foreground until interrupted")
	flags.StringVar(&o.address, "addr", defaultAddress, "address to listen on; loopback only, port 0 picks a free one")
	flags.StringVar(&o.seed, "seed", "", "configuration to apply before serving, or a state from local export or export --state")
	flags.BoolVar(&o.intercept, "intercept", false, "also start a proxy that serves *.api.konghq.com, with its own certificate authority; prints HTTPS_PROXY and SSL_CERT_FILE")
	addFaults(cmd, &o.faults)
	return cmd
}

func localStartRun(ctx context.Context, o *localStartOptions) error {
	dir, err := o.factory.dataDir()
	if err != nil {
		return err
	}
	running, err := local.Find(ctx, dir)
	switch {
	case err != nil:
		return err
	case running != nil && o.foreground:
		return fmt.Errorf("data folder %s: a server runs on it already, at %s (process %d)", dir, running.URL(), running.PID)
	case running != nil:
		return o.alreadyRunning(running, dir)
	case o.foreground:
		return o.serve(ctx, dir)
	default:
		return o.background(ctx, dir)
	}
}

func (o *localStartOptions) alreadyRunning(s *local.Server, dir string) error {
	stop := "kongctl local stop" + dataFlag(o.factory, dir)
	if o.intercept && s.Intercept == nil {
		return fmt.Errorf("data folder %s: a server without --intercept runs on it, at %s; stop it first with %s", dir, s.URL(), stop)
	}
	if err := o.say("Konnect is running already at %s (process %d, data %s).", s.URL(), s.PID, dir); err != nil {
		return err
	}
	switch {
	case len(local.FaultArgs(o.faults)) > 0:
		return fmt.Errorf("the faults were not set: the server is running already; set them on the page at %s/, or run %s and start again", s.URL(), stop)
	case o.addressed && !local.SameAddress(o.address, s.Address):
		return fmt.Errorf("--addr %s has no effect: the server is running already at %s; run %s and start again", o.address, s.Address, stop)
	case o.addressed && o.address != s.Address:
		if err := o.say("--addr %s has no effect.", o.address); err != nil {
			return err
		}
	case o.seed != "":
		return fmt.Errorf("the seed was not applied: the server is running already; run %s and start again", stop)
	}
	return o.tell(s)
}

func (o *localStartOptions) say(format string, args ...any) error {
	to := o.factory.world.streams.out
	if o.intercept {
		to = o.factory.world.streams.err // what a shell evaluates stands alone
	}
	return toOutput(say(to, format, args...))
}

// serve is the server itself.
func (o *localStartOptions) serve(ctx context.Context, dir string) error {
	o.factory.world.streams.outlive()
	service := local.Service{Address: o.address, Intercept: o.intercept, Faults: o.faults, Served: func(s *local.Server) error {
		return errors.Join(o.say("Konnect is served at %s (process %d, data %s).", s.URL(), s.PID, dir), o.tell(s))
	}}
	if o.seed != "" {
		service.Seed = func(e *local.Embedded) error { return o.factory.seed(ctx, e, o.seed) }
	}
	return o.factory.local().Serve(ctx, dir, service)
}

// background starts a process of its own.
func (o *localStartOptions) background(ctx context.Context, dir string) error {
	s, err := o.factory.local().Start(ctx, dir, o.childArgs(dir))
	if err != nil {
		return err
	}
	if !s.Own {
		return o.alreadyRunning(s.Server, dir)
	}
	return errors.Join(o.explain(s.Server, dir, s.Log), o.tell(s.Server))
}

// tell says how clients are led here. Standard output has these lines alone, so
// that a shell can evaluate it.
func (o *localStartOptions) tell(s *local.Server) error {
	switch {
	case !o.intercept:
		return nil
	case s.Intercept == nil:
		return fmt.Errorf("the server at %s was started without --intercept", s.URL())
	}
	_, err := fmt.Fprint(o.factory.world.streams.out, s.Intercept.Variables())
	return toOutput(err)
}

// childArgs are the arguments of the process in the background. A secret is
// never among them: it finds its settings as this one did.
func (o *localStartOptions) childArgs(dir string) []string {
	args := []string{"local", "start", "--foreground", "--addr", o.address, "--data", dir}
	if o.seed != "" {
		args = append(args, "--seed", o.seed)
	}
	if o.intercept {
		args = append(args, "--intercept")
	}
	args = append(args, local.FaultArgs(o.faults)...)
	if o.factory.profileName != "" {
		args = append(args, "--profile", o.factory.profileName)
	}
	if o.factory.configFile != "" {
		args = append(args, "--config-file", o.factory.configFile)
	}
	if flags := o.factory.flags; flags != nil {
		for _, name := range []string{settingLogLevel, settingLogFormat, settingLogFile} {
			if flag := flags.Lookup(name); flag != nil && flag.Changed {
				args = append(args, "--"+name, flag.Value.String())
			}
		}
	}
	return args
}

func (o *localStartOptions) explain(s *local.Server, dir, log string) error {
	folder := dataFlag(o.factory, dir)
	return o.say(`Konnect is running at %s (process %d).
  data:  %s
  log:   %s
  use:   kongctl sync -f FILE --local%s
  or:    kongctl sync -f FILE --base-url %s --pat ANY
  stop:  kongctl local stop%s`, s.URL(), s.PID, dir, log, folder, s.URL(), folder)
}
