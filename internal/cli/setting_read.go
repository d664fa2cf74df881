package cli

import (
	"context"
	"slices"
	"time"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/plan/guard"
	"github.com/kongctl/kongctl/internal/profile"
)

// account is the Konnect that the settings name, in a region; "" is theirs. Where
// they have no token, that of a login is used.
func (f *factory) account(ctx context.Context, region string) (engine.Account, error) {
	s, err := f.settings()
	if err != nil {
		return engine.Account{}, err
	}
	if region != "" {
		s = s.In(region)
	}
	base, global, region, err := s.Endpoint()
	if err != nil {
		return engine.Account{}, usagef("%v", err)
	}
	out := engine.Account{BaseURL: base, GlobalURL: global, Region: region, Token: s.String(profile.Token), Profile: s.Profile()}
	if out.Token == "" {
		session, err := loginSession(ctx, f, s)
		if err != nil {
			return engine.Account{}, err
		}
		out.Renew = session.Token
		out.Token, err = session.Token(ctx, "")
		return out, err
	}
	return out, nil
}

// maxConcurrency is the setting, checked.
func (f *factory) maxConcurrency() (int, error) {
	s, err := f.settings()
	if err != nil {
		return 0, err
	}
	n, err := s.Int("max-concurrency")
	if err != nil {
		return 0, usagef("%v", err)
	}
	if n < 1 {
		return 0, usagef("setting max-concurrency: must be at least 1")
	}
	return n, nil
}

// prune is the setting, checked.
func (f *factory) prune() (string, error) {
	s, err := f.settings()
	if err != nil {
		return "", err
	}
	known := []string{engine.PruneFull, engine.PruneDeclared, engine.PruneNone}
	prune, origin, ok := s.Lookup(settingPrune)
	if !ok || prune == "" {
		return engine.PruneFull, nil
	}
	if !slices.Contains(known, prune) {
		return "", usagef("invalid value %q for prune (%s): use %s", prune, origin, diag.Join(known, "or"))
	}
	return prune, nil
}

// maxDeletes is the setting, checked.
func (f *factory) maxDeletes() (string, error) {
	s, err := f.settings()
	if err != nil {
		return "", err
	}
	bound, origin, _ := s.Lookup(settingMaxDeletes)
	if !guard.ValidMaxDeletes(bound) {
		return "", usagef("invalid value %q for max-deletes (%s): use a number such as 10, or a percentage such as 5%%", bound, origin)
	}
	return bound, nil
}

// maxAge is the setting, checked, and how it is written; 0 is no limit.
func (f *factory) maxAge() (age time.Duration, text string, err error) {
	s, err := f.settings()
	if err != nil {
		return 0, "", err
	}
	text, origin, _ := s.Lookup(settingMaxAge)
	age, ok := engine.ParseAge(text)
	if !ok {
		return 0, "", usagef("invalid value %q for %s (%s)", text, settingMaxAge, origin).WithHint("use days or hours, such as 7d or 12h, or 0 for no limit.")
	}
	return age, text + " (" + settingMaxAge + ")", nil
}

// trust is which plans from elsewhere may be carried out, by the settings.
func (f *factory) trust() engine.Trust {
	return engine.Trust{Key: f.verifyKey, Signed: f.flags.Changed("verify-key"), MaxAge: f.maxAge}
}
