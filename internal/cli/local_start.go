package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kongctl/internal/konnect/emulator"
	"kongctl/internal/konnect/emulator/store"
	"kongctl/internal/plan"
	"kongctl/internal/view"
)

const (
	defaultAddress = "127.0.0.1:8787"
	startPatience  = 30 * time.Second
	startPause     = 25 * time.Millisecond
)

type localStartOptions struct {
	factory    *factory
	foreground bool
	address    string
	seed       string
	intercept  bool
	faults     emulator.Faults
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
			if strings.HasPrefix(o.address, ":") {
				o.address = "127.0.0.1" + o.address // a port alone is this machine's
			}
			if !loopback(o.address) {
				return usagef("--addr %s: not an address of this machine alone", o.address).
					withHint("use for example 127.0.0.1:8787; port 0 picks a free one.")
			}
			if cmd.Flags().Changed("fault-seed") && o.faults.Seed == 0 {
				return usagef("--fault-seed 0: seeds begin with 1").withHint("without --fault-seed there is a new one each time.")
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
	flags.BoolVar(&o.foreground, "foreground", false, "serve until this command is ended")
	flags.StringVar(&o.address, "addr", defaultAddress, "address to listen on; loopback only, port 0 picks a free one")
	flags.StringVar(&o.seed, "seed", "", "configuration to apply before serving, or a state from local export or export --state")
	flags.BoolVar(&o.intercept, "intercept", false, "also be the proxy that leads *.api.konghq.com here, with certificates of an own authority; prints HTTPS_PROXY and SSL_CERT_FILE")
	addFaults(cmd, &o.faults)
	return cmd
}

func localStartRun(ctx context.Context, o *localStartOptions) error {
	dir, err := o.factory.dataDir()
	if err != nil {
		return err
	}
	running, err := findServer(ctx, dir)
	switch {
	case err != nil:
		return err
	case running != nil && o.foreground:
		return fmt.Errorf("data folder %s: a server runs on it already, at %s (process %d)", dir, running.url(), running.PID)
	case running != nil:
		return o.alreadyRunning(running, dir)
	case o.foreground:
		return o.serve(ctx, dir)
	default:
		return o.background(ctx, dir)
	}
}

func (o *localStartOptions) alreadyRunning(s *server, dir string) error {
	if o.intercept && s.Intercept == nil {
		return fmt.Errorf("data folder %s: a server without --intercept runs on it, at %s; stop it first with kongctl local stop", dir, s.url())
	}
	errs := []error{o.say("Konnect is running already at %s (process %d, data %s).", s.url(), s.PID, dir)}
	if len(faultArgs(o.faults)) > 0 {
		errs = append(errs, o.say("The faults were not set: the page at %s/ does that, or kongctl local stop and a new start.", s.url()))
	}
	if o.seed != "" {
		errs = append(errs, o.say("The seed was not applied: kongctl local stop%s and a new start do that.", o.folder(dir)))
	}
	return errors.Join(append(errs, o.tell(s))...)
}

func (o *localStartOptions) say(format string, args ...any) error {
	to := o.factory.world.streams.out
	if o.intercept {
		to = o.factory.world.streams.err // what a shell evaluates stands alone
	}
	return toOutput(say(to, format, args...))
}

// serve is the server itself.
func (o *localStartOptions) serve(ctx context.Context, dir string) (err error) {
	e, err := o.factory.openEmbedded(dir)
	if errors.Is(err, store.ErrInUse) {
		return fmt.Errorf("data folder %s: another process uses it", dir)
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.close()) }()
	if o.seed != "" {
		if err := o.factory.seed(ctx, e, o.seed); err != nil {
			return err
		}
	}
	if err := e.handler.SetFaults(o.faults); err != nil { // not before the seed: it must not fail
		return err
	}
	ln, err := (&net.ListenConfig{}).Listen(ctx, "tcp", o.address)
	if err != nil {
		return fmt.Errorf("%w; name another address with --addr", err)
	}
	s := server{PID: os.Getpid(), Address: ln.Addr().String(), Version: version, StartedAt: o.factory.world.now().UTC()}
	serve, err := o.server(&s, dir)
	if err != nil {
		return errors.Join(err, ln.Close())
	}
	if err := s.record(dir); err != nil {
		return errors.Join(err, ln.Close())
	}
	defer func() { err = errors.Join(err, os.Remove(filepath.Join(dir, serverFile))) }()
	if err := errors.Join(o.say("Konnect is served at %s (process %d, data %s).", s.url(), s.PID, dir), o.tell(&s)); err != nil {
		return errors.Join(err, ln.Close())
	}
	return serve(ctx, ln, e.handler)
}

// record lets others find the server.
func (s *server) record(dir string) error {
	raw, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(dir, serverFile), append(raw, '\n'))
}

// background starts a process of its own and waits until it answers.
func (o *localStartOptions) background(ctx context.Context, dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	path := filepath.Join(dir, serverLog)
	log, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("open log: %w", err)
	}
	start, err := log.Seek(0, io.SeekEnd)
	if err != nil {
		return errors.Join(fmt.Errorf("open log: %w", err), log.Close())
	}
	child, err := o.factory.world.spawn(o.childArgs(dir), log)
	if err := errors.Join(err, log.Close()); err != nil {
		return fmt.Errorf("start server: %w", err)
	}
	s, err := o.await(ctx, dir, child)
	if err != nil {
		return fmt.Errorf("start server: %w%s", err, lastWords(path, start))
	}
	if s.PID != child.number() {
		return o.alreadyRunning(s, dir)
	}
	return errors.Join(o.explain(s, dir, path), o.tell(s))
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
	args = append(args, faultArgs(o.faults)...)
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

// await waits for the server that was started. Where another one was faster, it
// is the one, and the own child ends: it must not take over later.
func (o *localStartOptions) await(ctx context.Context, dir string, child process) (*server, error) {
	w := o.factory.world
	patience, ended := w.after(startPatience), child.ended()
	for {
		s, err := findServer(ctx, dir)
		switch {
		case err != nil:
			return nil, errors.Join(err, o.giveUp(child))
		case s != nil && s.PID == child.number():
			return s, nil
		case s != nil:
			return s, o.giveUp(child)
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(ctx.Err(), o.giveUp(child))
		case <-ended:
			if !store.Held(dir) {
				return nil, errors.New("it ended before it answered")
			}
			// Who holds the folder may be a server that is starting.
			ended, patience = nil, w.after(busyPatience)
		case <-patience:
			if ended == nil {
				return nil, errors.New("it ended before it answered")
			}
			return nil, errors.Join(fmt.Errorf("it does not answer after %s", startPatience), o.giveUp(child))
		case <-w.after(startPause):
		}
	}
}

// giveUp ends the child and waits for that.
func (o *localStartOptions) giveUp(child process) error {
	select {
	case <-child.ended():
		return nil
	default:
	}
	if err := child.end(); err != nil {
		return fmt.Errorf("end process %d: %w", child.number(), err)
	}
	select {
	case <-child.ended():
		return nil
	case <-o.factory.world.after(stopPatience):
		return fmt.Errorf("process %d does not end", child.number())
	}
}

// lastWords are what a server that did not start said.
func lastWords(path string, start int64) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer func() { _ = f.Close() }() // it was only read
	if _, err := f.Seek(start, io.SeekStart); err != nil {
		return ""
	}
	var lines []string
	for scan := bufio.NewScanner(f); scan.Scan(); {
		lines = append(lines, "  "+strings.TrimPrefix(scan.Text(), "error: "))
	}
	if len(lines) == 0 {
		return "; see " + path
	}
	return ":\n" + strings.Join(lines[max(0, len(lines)-20):], "\n")
}

// folder is the flag that other commands need to come to the same folder.
func (o *localStartOptions) folder(dir string) string {
	if o.factory.flags != nil && o.factory.flags.Changed("data") {
		return " --data " + shellWord(dir)
	}
	return ""
}

func (o *localStartOptions) explain(s *server, dir, log string) error {
	folder := o.folder(dir)
	return o.say(`Konnect is running at %s (process %d).
  data:  %s
  log:   %s
  use:   kongctl sync -f FILE --local%s
  or:    kongctl sync -f FILE --base-url %s --pat ANY
  stop:  kongctl local stop%s`, s.url(), s.PID, dir, log, folder, s.url(), folder)
}

// seed applies a configuration to the embedded Konnect of this process.
func (f *factory) seed(ctx context.Context, e *embedded, file string) error {
	d := newDisplay(f)
	defer d.close()
	engine := f.embeddedEngine(e, d.sink)
	p, err := engine.plan(ctx, planRequest{sources: sourceFlags{files: []string{file}, recursive: true}, mode: plan.ModeApply, seed: true})
	if err != nil {
		return err
	}
	printDiagnostics(f.world.streams.err, p.warnings)
	if err := judge(p.plan, false); err != nil {
		return err
	}
	if p.plan.Empty() {
		return nil
	}
	result, err := engine.run(ctx, runRequest{plan: p.plan, dir: p.dir, bases: p.bases, seed: true})
	if err != nil {
		return err
	}
	if err := verdict(view.NewReport(p.plan, result)); err != nil {
		return fmt.Errorf("seed %s: %w", file, err)
	}
	return nil
}
