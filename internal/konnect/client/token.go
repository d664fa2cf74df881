package client

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
)

// errToken is a token that fits into no header.
var errToken = errors.New("token: has characters that a header cannot carry")

func checkToken(token string) error {
	if strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return errToken
	}
	return nil
}

// tokens are the one that requests carry, and those that they carried before.
type tokens struct {
	renew func(ctx context.Context, refused string) (string, error)

	mu      sync.Mutex
	current string
	former  []string
}

func (t *tokens) now() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.current
}

// use returns the token for the next request.
func (t *tokens) use(ctx context.Context) string {
	if t.renew != nil {
		if token, err := t.renew(ctx, ""); err == nil {
			t.set(token)
		}
	}
	return t.now()
}

// replace gets another token for one that was refused, and reports whether there is
// one.
func (t *tokens) replace(ctx context.Context, refused string) bool {
	if t.renew == nil {
		return false
	}
	token, err := t.renew(ctx, refused)
	return err == nil && token != refused && t.set(token)
}

func (t *tokens) set(token string) bool {
	if token == "" || checkToken(token) != nil {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if token != t.current {
		t.former, t.current = append(t.former, t.current), token
	}
	return true
}

// mask hides secrets and every token so far, and those that come.
func (t *tokens) mask(secrets []string) mask {
	known := t.known()
	return mask{hide: newMask(append(known, secrets...)...).hide, tokens: t, seen: len(known), secrets: secrets}
}

// known are the tokens so far.
func (t *tokens) known() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append(slices.Clone(t.former), t.current)
}
