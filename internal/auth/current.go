package auth

import (
	"context"
	"errors"
	"time"
)

// ahead is how long before its end a token is refreshed, so that a command does
// not lose it on the way.
const ahead = 10 * time.Minute

// Current returns the token for a place, refreshed where it is about to expire.
// It is nil where nobody has logged in, and ErrExpired where somebody must log in
// again. Of several processes one refreshes, the others take what it got.
func Current(ctx context.Context, store *Store, s *Server, p Place) (*Login, error) {
	l, err := store.Load(p)
	if l == nil || err != nil || fresh(l, s.Now()) {
		return l, err
	}
	old := l
	l, err = renew(ctx, store, s, p, func(l *Login) bool { return fresh(l, s.Now()) })
	if err != nil && !errors.Is(err, errNotKept) && s.Now().Before(old.Token.Expires) && ctx.Err() == nil {
		return old, nil // what there is will do for now
	}
	return l, err
}

// errNotKept is a token that was refreshed and could not be kept.
var errNotKept = errors.New("the refreshed token could not be kept: log in again")

// renew refreshes the token for a place, unless another process has done it: then
// what is kept is good.
func renew(ctx context.Context, store *Store, s *Server, p Place, good func(*Login) bool) (*Login, error) {
	unlock, err := store.Lock(ctx, p)
	if err != nil {
		return nil, err
	}
	defer unlock()
	l, err := store.Load(p)
	if l == nil || err != nil || good(l) {
		return l, err
	}
	with := *s
	with.ClientID, with.RefreshPath = l.ClientID, l.RefreshPath
	next, err := with.Refresh(ctx, l.Token)
	if err != nil {
		return nil, err
	}
	l.Token = next
	if err := store.Save(l); err != nil {
		return nil, errors.Join(err, errNotKept)
	}
	return l, nil
}

func fresh(l *Login, now time.Time) bool { return now.Add(ahead).Before(l.Token.Expires) }
