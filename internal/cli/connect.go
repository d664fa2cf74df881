package cli

import (
	"context"
	"net/http"

	"kongctl/internal/disk"
	"kongctl/internal/event"
	"kongctl/internal/konnect/client"
	"kongctl/internal/konnect/emulator"
	"kongctl/internal/konnect/emulator/local"
	"kongctl/internal/plan"
	"kongctl/internal/profile"
)

// session is a connection to one Konnect.
type session struct {
	target       *client.Target
	organization plan.Organization // its id is asked for when a plan needs it
	concurrency  int
	// config is how the client was made, for decK's.
	config client.Config
	client *client.Client
	local  bool          // the embedded Konnect
	about  local.Control // talks to the embedded Konnect about itself
}

// localToken is what the embedded Konnect takes for a token. The user's own
// never goes there.
const localToken = "local"

// connectKonnect reaches the Konnect that the settings name.
func (f *factory) connectKonnect(sink event.Sink) (*session, error) {
	s, err := f.settings()
	if err != nil {
		return nil, err
	}
	base, global, region, err := s.Endpoint()
	if err != nil {
		return nil, usagef("%v", err)
	}
	token := s.String(profile.Token)
	if token == "" {
		return nil, tokenError{}
	}
	return f.newSession(client.Config{BaseURL: base, GlobalURL: global, Token: token}, region, sink)
}

// connectLocal reaches the embedded Konnect: its server, or its data folder,
// which one process has at a time: a run waits for the run that has it.
func (f *factory) connectLocal(ctx context.Context, sink event.Sink, locks *locks) (*session, error) {
	dir, err := f.dataDir()
	if err != nil {
		return nil, err
	}
	s, err := local.Find(ctx, dir)
	if s == nil && err == nil {
		err = locks.take(ctx, "data folder "+dir, "data", disk.Real(dir))
	}
	if err != nil {
		return nil, err
	}
	r, err := f.local().Reach(ctx, dir)
	if err != nil {
		return nil, err
	}
	f.onClose(r.Close)
	if r.Server != nil {
		// A transport of its own: a proxy has no way to this machine's server.
		transport := &http.Transport{MaxIdleConnsPerHost: 16}
		f.onClose(func() error { transport.CloseIdleConnections(); return nil })
		return f.newLocalSession(client.Config{BaseURL: r.Server.URL(), Token: localToken, Transport: transport}, r.About(), sink)
	}
	return f.newLocalSession(inProcess(r.Embedded), r.About(), sink)
}

// inProcess leads a client into this process.
func inProcess(e *local.Embedded) client.Config {
	return client.Config{BaseURL: local.Direct(e.Handler).Base, Token: localToken, Transport: emulator.Transport(e.Handler)}
}

func (f *factory) newLocalSession(c client.Config, about local.Control, sink event.Sink) (*session, error) {
	s, err := f.newSession(c, "", sink)
	if err != nil {
		return nil, err
	}
	s.local, s.about = true, about
	return s, nil
}

func (f *factory) newSession(c client.Config, region string, sink event.Sink) (*session, error) {
	settings, err := f.settings()
	if err != nil {
		return nil, err
	}
	cat, err := f.catalog()
	if err != nil {
		return nil, err
	}
	if c.Log, err = f.logger(); err != nil {
		return nil, err
	}
	c.UserAgent = "kongctl/" + version
	c.MaxConcurrency, err = settings.Int("max-concurrency")
	if err != nil {
		return nil, usagef("%v", err)
	}
	if c.MaxConcurrency < 1 {
		return nil, usagef("setting max-concurrency: must be at least 1")
	}
	c.OnRetry = func(r client.RetryInfo) {
		sink(event.Retrying{Method: r.Method, Path: r.Path, Attempt: r.Attempt, Wait: r.Wait, Reason: message(r.Err)})
	}
	conn, err := client.New(c)
	if err != nil {
		return nil, usagef("%v", err)
	}
	return &session{
		target:       client.NewTarget(cat, conn),
		config:       c,
		client:       conn,
		organization: plan.Organization{Region: region, BaseURL: c.BaseURL},
		concurrency:  c.MaxConcurrency,
	}, nil
}
