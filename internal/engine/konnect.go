package engine

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"sync"

	"github.com/kongctl/kongctl/internal/disk"
	"github.com/kongctl/kongctl/internal/event"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/client"
	"github.com/kongctl/kongctl/internal/konnect/emulator"
	"github.com/kongctl/kongctl/internal/konnect/emulator/local"
	"github.com/kongctl/kongctl/internal/plan"
)

// Account is a Konnect and how to be let in.
type Account struct {
	BaseURL, GlobalURL, Region, Token string
	// Renew returns the token to use from now on, see client.Config; nil where the
	// token stays.
	Renew func(ctx context.Context, refused string) (string, error)
	// Profile is the one of the settings, for people.
	Profile string
}

// Retry says how often and when a request is tried again.
type Retry = client.Retry

// Konnect says which Konnect to reach, and how. Its functions are called once
// there is something to ask: a wrong configuration is reported without a token.
type Konnect struct {
	Account func(context.Context) (Account, error)
	// Local is set for the embedded Konnect of this machine.
	Local *local.Host
	// LocalToken is the token that somebody gave for it; "" for none, which does.
	LocalToken string
	// Data returns its data folder.
	Data func() (string, error)
	// Embedded is one that this process has open.
	Embedded *local.Embedded
	// Region is the region of an embedded Konnect; "" is its own.
	Region string
	// Concurrency is how many requests there may be at the same time.
	Concurrency func() (int, error)
	// Retry is how often and when a request is tried again; nil is as the client
	// does by itself.
	Retry func() (Retry, error)
	// Reason puts into words why a request is tried again.
	Reason func(error) string
}

// session is a connection to one Konnect.
type session struct {
	catalog      *catalog.Catalog
	target       *client.Target
	organization plan.Organization // its id and name are asked for when they are needed
	concurrency  int
	asked        bool       // for them
	asking       sync.Mutex // held meanwhile, so that it is done once
	// config is how the client was made, for decK's.
	config client.Config
	client *client.Client
	local  bool          // the embedded Konnect
	about  local.Control // talks to the embedded Konnect about itself
}

// localToken is the token for the embedded Konnect where nobody gave one for it: those
// for other Konnects never go there.
const localToken = "local"

// connection is the way to Konnect, made when it is first needed.
type connection struct {
	Konnect
	host    Host
	sink    event.Sink
	locks   *Locks
	closers *closers
	session *session
}

func (c *connection) open(ctx context.Context) (*session, error) {
	if c.session != nil {
		return c.session, nil
	}
	s, err := c.connect(ctx)
	c.session = s
	return s, err
}

func (c *connection) connect(ctx context.Context) (*session, error) {
	switch {
	case c.Embedded != nil:
		return c.newLocalSession(c.inProcess(c.Embedded), local.Direct(c.Embedded.Handler))
	case c.Local != nil:
		return c.connectLocal(ctx)
	}
	a, err := c.Account(ctx)
	if err != nil {
		return nil, err
	}
	s, err := c.newSession(client.Config{BaseURL: a.BaseURL, GlobalURL: a.GlobalURL, Token: a.Token, Renew: a.Renew}, a.Region)
	if err != nil {
		return nil, err
	}
	if a.Profile != a.Token {
		s.organization.Profile = a.Profile
	}
	return s, nil
}

// connectLocal reaches the embedded Konnect: its server, or its data folder,
// which one process has at a time: a run waits for the run that has it.
func (c *connection) connectLocal(ctx context.Context) (*session, error) {
	dir, err := c.Data()
	if err != nil {
		return nil, err
	}
	s, err := local.Find(ctx, dir)
	if s == nil && err == nil {
		err = c.locks.Take(ctx, "data folder "+dir, "data", disk.Real(dir))
	}
	if err != nil {
		return nil, err
	}
	r, err := c.Local.Reach(ctx, dir)
	if err != nil {
		return nil, err
	}
	c.closers.add(r.Close)
	if r.Server != nil {
		// A transport of its own: a proxy has no way to this machine's server.
		transport := &http.Transport{MaxIdleConnsPerHost: 16}
		c.closers.add(func() error { transport.CloseIdleConnections(); return nil })
		return c.newLocalSession(client.Config{BaseURL: r.Server.URL(), Token: cmp.Or(c.LocalToken, localToken), Transport: transport}, r.About())
	}
	return c.newLocalSession(c.inProcess(r.Embedded), r.About())
}

// inProcess leads a client into this process.
func (c *connection) inProcess(e *local.Embedded) client.Config {
	return client.Config{BaseURL: local.Direct(e.Handler).Base, Token: cmp.Or(c.LocalToken, localToken), Transport: emulator.Transport(e.Handler)}
}

func (c *connection) newLocalSession(config client.Config, about local.Control) (*session, error) {
	if c.Region != "" {
		config.Transport = emulator.InRegion(config.Transport, c.Region)
	}
	s, err := c.newSession(config, "")
	if err != nil {
		return nil, err
	}
	s.local, s.about = true, about
	if c.Data != nil {
		s.organization.Embedded, err = c.Data()
	}
	return s, err
}

func (c *connection) newSession(config client.Config, region string) (*session, error) {
	cat, err := c.host.Catalog()
	if err != nil {
		return nil, err
	}
	if config.Log, err = c.host.Log(); err != nil {
		return nil, err
	}
	config.UserAgent = "kongctl/" + c.host.Version
	if config.MaxConcurrency, err = c.Concurrency(); err != nil {
		return nil, err
	}
	if c.Retry != nil {
		if config.Retry, err = c.Retry(); err != nil {
			return nil, err
		}
	}
	config.OnRetry = func(r client.RetryInfo) {
		c.sink(event.Retrying{Method: r.Method, Path: r.Path, Attempt: r.Attempt, Wait: r.Wait, Reason: c.Reason(r.Err), Throttled: r.Throttled()})
	}
	config.OnRead = func(objects int) { c.sink(event.Read{Objects: objects}) }
	config.OnAnswer = func() { c.sink(event.Answered{}) }
	config.OnReading = func(started, ended int) { c.sink(event.Reads{Started: started, Ended: ended}) }
	conn, err := client.New(config)
	if err != nil {
		return nil, Usagef("%v", err)
	}
	return &session{
		catalog:      cat,
		target:       client.NewTarget(cat, conn),
		config:       config,
		client:       conn,
		organization: plan.Organization{Region: region, BaseURL: config.BaseURL},
		concurrency:  config.MaxConcurrency,
	}, nil
}

// whose returns the organization that the session works on, and asks for it once.
// Its id is "" where the token is good for resources and not for this.
func (s *session) whose(ctx context.Context) (plan.Organization, error) {
	s.asking.Lock()
	defer s.asking.Unlock()
	if s.asked {
		return s.organization, nil
	}
	id, name, err := s.target.Organization(ctx)
	var refused *client.APIError
	if err != nil && (!errors.As(err, &refused) || refused.Status != http.StatusForbidden && refused.Status != http.StatusNotFound) {
		return s.organization, err
	}
	s.organization.ID, s.organization.Name, s.asked = id, name, true
	return s.organization, nil
}
