package client

import (
	"context"
	"errors"
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

// tokens are the one that requests carry, and how to get another one.
type tokens struct {
	renew func(ctx context.Context, refused string) (string, error)

	memory memory // of all of them, and of what requests carry

	mu      sync.Mutex
	current string
}

func newTokens(current string, renew func(ctx context.Context, refused string) (string, error)) *tokens {
	t := &tokens{renew: renew, current: current}
	t.memory.keep(current)
	return t
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
	t.memory.keep(token)
	t.current = token
	return true
}
