package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/kongctl/kongctl/internal/auth"
	"github.com/kongctl/kongctl/internal/profile"
)

// storeAuto keeps tokens in the keyring where there is one, else in a file.
const storeAuto = "auto"

// loginError is a login that there is not, or not any more.
type loginError struct{ err error }

func (e *loginError) Error() string { return e.err.Error() }
func (e *loginError) Unwrap() error { return e.err }

// Unauthorized reports that the user is not let in.
func (e *loginError) Unauthorized() bool { return true }

// asLoginError says what to type.
func asLoginError(err error, id *identity) error {
	var status *auth.StatusError
	switch {
	case errors.Is(err, auth.ErrDenied):
		return &loginError{err}
	case errors.Is(err, auth.ErrTooLate):
		return &loginError{fmt.Errorf("%w: run the command again", err)}
	case errors.As(err, &status) && status.Passes():
		return fmt.Errorf("log in to %s: %w: try again later", id.place.URL, err)
	case errors.As(err, &status) && status.Code == "invalid_client":
		return &loginError{fmt.Errorf("log in to %s: %w: it does not know the client id; check the setting %s (--machine-client-id)", id.place.URL, err, settingClientID)}
	case errors.As(err, &status) && status.Code != "":
		return &loginError{fmt.Errorf("log in to %s: %w", id.place.URL, err)}
	case errors.As(err, &status):
		return &loginError{fmt.Errorf("log in to %s: %w; is that the right address?", id.place.URL, err)}
	default:
		return err
	}
}

// errNoState says that logins can be kept nowhere.
var errNoState = errors.New("login")

// identity is the identity service of the settings, and what a login there is for.
type identity struct {
	server *auth.Server
	store  *auth.Store
	place  auth.Place
	in     string // where a new login is kept; "" is for whatever works
}

// identityOf finds the identity service of the settings.
func identityOf(f *factory, s *profile.Settings) (*identity, error) {
	base, global, region, err := s.Endpoint()
	if err != nil {
		return nil, usagef("%v", err)
	}
	for _, address := range []string{base, global} { // a token goes to both
		if err := profile.CheckURL(address); err != nil {
			if strings.Contains(address, "@") {
				address = "address of Konnect" // it may hold a password
			}
			return nil, usagef("%s: %v", address, err)
		}
	}
	w := f.world
	store, err := loginStore(f)
	if err != nil {
		return nil, err
	}
	out := &identity{
		server: &auth.Server{URL: global, UserAgent: "kongctl/" + version, Now: w.now, Sleep: w.sleep},
		store:  store,
		place:  auth.Place{Profile: s.Profile(), URL: global},
	}
	if region == "" {
		out.place.BaseURL = base
	}
	for name, into := range map[string]*string{
		settingClientID: &out.server.ClientID, settingAuthPath: &out.server.AuthorizePath, settingTokenPath: &out.server.TokenPath,
		settingRefreshPath: &out.server.RefreshPath, settingLoginStore: &out.in,
	} {
		if *into, err = checkedSetting(s, name); err != nil {
			return nil, err
		}
	}
	if out.in == storeAuto {
		out.in = ""
	}
	return out, nil
}

// anyProfileNote marks the commands whose profile need not be in the config file.
const anyProfileNote = "any-profile"

// loginStore is where logins are kept.
func loginStore(f *factory) (*auth.Store, error) {
	state, err := f.world.folder("XDG_STATE_HOME", ".local", "state")
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errNoState, err)
	}
	return &auth.Store{Dir: filepath.Join(state, "kongctl", "login"), Keyring: f.world.keyring(), After: f.world.after}, nil
}

// sleep waits, or until ctx ends.
func (w *world) sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-w.after(d):
		return nil
	}
}

// loginSession is the login for the settings, whose token is refreshed where it has
// expired, also while the command runs.
func loginSession(ctx context.Context, f *factory, s *profile.Settings) (*auth.Session, error) {
	id, err := identityOf(f, s)
	if errors.Is(err, errNoState) {
		return nil, tokenError{login: loginCommand(f)}
	}
	if err != nil {
		return nil, err
	}
	l, err := auth.Current(ctx, id.store, id.server, id.place)
	switch {
	case errors.Is(err, auth.ErrExpired):
		return nil, &loginError{fmt.Errorf("the login of profile %s at %s has expired: run `%s`", s.Profile(), id.place.URL, loginCommand(f))}
	case errors.Is(err, auth.ErrKeyring):
		return nil, &loginError{fmt.Errorf("the login of profile %s at %s: %w; unlock the keyring, or run `%s --login-store file`", s.Profile(), id.place.URL, err, loginCommand(f))}
	case errors.Is(err, auth.ErrDamaged):
		return nil, &loginError{fmt.Errorf("%w; run `%s`", err, loginCommand(f))}
	case err != nil:
		return nil, err
	case l == nil:
		return nil, tokenError{login: loginCommand(f)}
	}
	f.byLogin.Store(true)
	return l.Session(id.store, id.server), nil
}

// loginCommand is what to type to log in again.
func loginCommand(f *factory) string {
	out := "kongctl login"
	if f.profileName != "" {
		out += " -p " + f.profileName
	}
	for _, flag := range []string{"base-url", "base-auth-url"} {
		if f.flags != nil && f.flags.Changed(flag) {
			out += " --" + flag + " " + f.flags.Lookup(flag).Value.String()
		}
	}
	return out
}
