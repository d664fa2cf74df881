package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/auth"
	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/konnect/query"
	"github.com/kongctl/kongctl/internal/profile"
)

type loginOptions struct {
	factory   *factory
	connect   connectFlags
	noBrowser bool
	output    string
}

const aboutLogin = `Log in to Konnect with a browser.

The command shows a code and a page. Open the page, check that it has the same
code, and approve the login. The token is kept in the keyring of this machine, or
in a file that only you can read, and is refreshed when it expires. It is used
where --pat, the environment and the profile have no token. Each profile and each
address has its own login. A profile that the config file does not have is added.`

func newLoginCmd(f *factory, runF func(context.Context, *loginOptions) error) *cobra.Command {
	o := &loginOptions{factory: f}
	cmd := &cobra.Command{
		Use:   "login",
		Short: "Log in to Konnect with a browser",
		Long:  aboutLogin,
		Example: `  kongctl login
  kongctl login -p production --no-browser
  kongctl login --base-url http://localhost:8080`,
		Args:        noArgs,
		Annotations: map[string]string{anyProfileNote: "true"},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.connect.checkLogin(); err != nil {
				return err
			}
			if err := checkOutput(o.output, formText, formJSON, formYAML); err != nil {
				return err
			}
			if runF == nil {
				runF = loginRun
			}
			return runF(cmd.Context(), o)
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&o.noBrowser, "no-browser", false, "do not open the page in a browser")
	addOutput(cmd, &o.output, "text, json or yaml (default text)")
	addLogin(cmd)
	o.connect.addLogin(cmd)
	addRetry(cmd)
	return cmd
}

// addLogin adds flags whose values are settings: the factory finds them.
func addLogin(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.String("login-store", storeAuto, "where to keep the token: keyring, file or auto (the keyring if there is one)")
	flags.String("machine-client-id", settingForms[settingClientID].fallback, "id of this program at the identity service")
	flags.String("auth-path", settingForms[settingAuthPath].fallback, "path that begins a login")
	flags.String("token-path", settingForms[settingTokenPath].fallback, "path that gives the token")
	flags.String("refresh-path", settingForms[settingRefreshPath].fallback, "path that refreshes the token")
	titled(flags, groupConnection, "login-store")
}

func loginRun(ctx context.Context, o *loginOptions) error {
	f := o.factory
	s, err := f.settings()
	if err != nil {
		return err
	}
	id, err := identityOf(f, s)
	if err != nil {
		return err
	}
	retry, err := retrySettings(f)
	if err != nil {
		return err
	}
	id.server.Attempts = retry.MaxAttempts
	l, err := o.grant(ctx, id)
	if err != nil {
		return err
	}
	unlock, err := id.store.Lock(ctx, id.place)
	if err != nil {
		return err
	}
	err = id.store.Save(l)
	unlock()
	if err != nil {
		return err
	}
	if err := addProfile(ctx, f, s); err != nil {
		return err
	}
	return o.show(ctx, s, l)
}

// grant gets a token that somebody approves.
func (o *loginOptions) grant(ctx context.Context, id *identity) (*auth.Login, error) {
	g, err := id.server.Begin(ctx)
	if err != nil {
		return nil, asLoginError(err, id)
	}
	streams := o.factory.world.streams
	_ = say(streams.err, "Log in to %s (profile %s):", id.place.URL, id.place.Profile)
	_, _ = fmt.Fprintln(streams.err)
	_ = say(streams.err, "  code  %s", g.UserCode)
	_ = say(streams.err, "  page  %s", g.Page())
	_, _ = fmt.Fprintln(streams.err)
	next := "Open the page"
	if streams.errTerminal && !o.noBrowser && o.factory.world.browse(g.Page()) == nil {
		next = "The page opens in your browser"
	}
	_ = say(streams.err, "%s. Check that it shows the same code, and approve the login. Press Ctrl-C to cancel.", next)
	token, err := id.server.Wait(ctx, g)
	if err != nil {
		return nil, asLoginError(err, id)
	}
	return &auth.Login{Place: id.place, In: id.in, ClientID: id.server.ClientID, RefreshPath: id.server.RefreshPath, Token: token}, nil
}

// loggedIn is a login for programs.
type loggedIn struct {
	Profile   string `json:"profile"`
	URL       string `json:"url"`
	User      string `json:"user,omitempty"`
	StoredIn  string `json:"stored_in"`
	ExpiresAt string `json:"expires_at"`
}

// show says who is logged in now.
func (o *loginOptions) show(ctx context.Context, s *profile.Settings, l *auth.Login) error {
	streams := o.factory.world.streams
	_, origin, other := s.Lookup(profile.Token)
	out := loggedIn{Profile: l.Profile, URL: l.URL, StoredIn: l.In, ExpiresAt: l.Token.Expires.UTC().Format(time.RFC3339)}
	as := ""
	if !other {
		if out.User = o.whoami(ctx); out.User != "" {
			as = " as " + out.User
		}
	}
	where := "the keyring of this machine"
	if l.In == auth.InFile {
		where = "a file that only you can read"
	}
	if err := say(streams.err, "Logged in%s. The token is kept in %s.", as, where); err != nil {
		return err
	}
	if other {
		_ = say(streams.err, "warning: commands do not use this login while the setting %s is there (%s).", profile.Token, origin)
	}
	return streams.document(o.output, out)
}

// whoami is the user of the login, "" where Konnect does not say it.
func (o *loginOptions) whoami(ctx context.Context) string {
	asked, err := query.Parse([]string{"me"})
	if err != nil {
		return ""
	}
	d := newDisplay(o.factory)
	defer d.close()
	e, err := o.factory.openEngine(engineOptions{sink: d.sink})
	if err != nil {
		return ""
	}
	answer, err := engine.Get(ctx, e, query.Request{Asked: *asked})
	if err != nil || len(answer.Bodies) == 0 {
		return ""
	}
	email, _ := answer.Bodies[0]["email"].(string)
	return email
}
