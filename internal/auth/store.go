package auth

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/kongctl/kongctl/internal/disk"
)

// The places that tokens are kept in.
const (
	InKeyring = "keyring"
	InFile    = "file"
)

// Keyring keeps secrets for the user of this machine.
type Keyring interface {
	Set(service, user, secret string) error
	Get(service, user string) (string, error)
	Delete(service, user string) error
}

// keyringService is the name under which a keyring lists our secrets.
const keyringService = "kongctl"

// Place is what a login is for: a profile and the addresses that its token may be
// sent to. A login is found for the very same place alone.
type Place struct {
	Profile string `json:"profile"`
	// URL is the address of the identity service, BaseURL another that resources
	// are at; "" for the regions of Konnect, which share their logins.
	URL     string `json:"url"`
	BaseURL string `json:"base_url,omitempty"`
}

func (p Place) key() string {
	sum := sha256.Sum256([]byte(strings.Join([]string{p.Profile, p.URL, p.BaseURL}, "\n")))
	return hex.EncodeToString(sum[:16])
}

// Login is a login that was made, with its token.
type Login struct {
	Place
	// In is where the token is kept.
	In string `json:"in"`
	// ClientID and RefreshPath are those that it was made with.
	ClientID    string `json:"client_id"`
	RefreshPath string `json:"refresh_path"`
	Token       Token  `json:"-"`
}

// record is a login in its file.
type record struct {
	Login
	// Token is there unless it is in a keyring.
	Token *Token `json:"token,omitempty"`
}

// ErrDamaged is a login that was kept and cannot be read.
var ErrDamaged = errors.New("is damaged")

// Store keeps logins: one file each, which names the keyring that has the token, or
// has it itself.
type Store struct {
	Dir     string
	Keyring Keyring // nil: there is no keyring
	After   func(time.Duration) <-chan time.Time
}

// Load returns the login for a place, or nil.
func (s *Store) Load(p Place) (*Login, error) {
	path := s.path(p)
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("login: %w", err)
	}
	if info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" {
		return nil, fmt.Errorf("login %s: is open to others (mode %04o); run: chmod 600 %s", path, info.Mode().Perm(), path)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("login: %w", err)
	}
	var r record
	if json.Unmarshal(raw, &r) != nil || r.Place != p || r.In == InFile && r.Token == nil {
		return nil, fmt.Errorf("login %s: %w", path, ErrDamaged)
	}
	out := r.Login
	if r.In == InFile {
		out.Token = *r.Token
		return &out, nil
	}
	if s.Keyring == nil {
		return nil, ErrKeyring
	}
	secret, err := s.Keyring.Get(keyringService, p.key())
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrKeyring, err)
	}
	if json.Unmarshal([]byte(secret), &out.Token) != nil {
		return nil, fmt.Errorf("login: the entry of the keyring: %w", ErrDamaged)
	}
	return &out, nil
}

// Save keeps a login. Where In is "", the token goes to the keyring if that takes
// it, else to the file; In says in the end where it is.
func (s *Store) Save(l *Login) error {
	secret, err := json.Marshal(l.Token)
	if err != nil {
		return fmt.Errorf("login: %w", err)
	}
	choose := l.In == ""
	if l.In != InFile {
		err := errors.New("this machine has none")
		if s.Keyring != nil {
			err = s.Keyring.Set(keyringService, l.key(), string(secret))
		}
		switch {
		case err == nil:
			l.In = InKeyring
		case choose:
			l.In = InFile
		default:
			return fmt.Errorf("login: write the keyring: %w", err)
		}
	}
	r := record{Login: *l}
	if l.In == InFile {
		r.Token = &l.Token
	}
	raw, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("login: %w", err)
	}
	if err := s.makeDir(); err != nil {
		return err
	}
	return disk.Write(s.path(l.Place), append(raw, '\n'))
}

// KeptIn is where the token of a login is, "" where there is no login. The token
// itself is not read.
func (s *Store) KeptIn(p Place) string {
	var r record
	raw, err := os.ReadFile(s.path(p))
	if err != nil || json.Unmarshal(raw, &r) != nil {
		return ""
	}
	return r.In
}

// Remove forgets a login and reports whether there was one.
func (s *Store) Remove(p Place) (bool, error) {
	raw, err := os.ReadFile(s.path(p))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	var r record
	if err == nil && json.Unmarshal(raw, &r) == nil && r.In == InKeyring {
		if s.Keyring == nil {
			return false, fmt.Errorf("logout: %w: unlock the keyring, then log out again", ErrKeyring)
		}
		if err := s.Keyring.Delete(keyringService, p.key()); err != nil && !errors.Is(err, ErrNoEntry) {
			return false, fmt.Errorf("logout: %w", err)
		}
	}
	if err := os.Remove(s.path(p)); err != nil {
		return false, fmt.Errorf("logout: %w", disk.Cause(err))
	}
	return true, nil
}

// Places lists what the logins of a profile are for, whatever their address.
func (s *Store) Places(profile string) (out []Place, err error) {
	files, err := os.ReadDir(s.Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("logout: %w", err)
	}
	for _, file := range files {
		var r record
		raw, err := os.ReadFile(filepath.Join(s.Dir, file.Name()))
		if err != nil || json.Unmarshal(raw, &r) != nil || r.Profile != profile || r.key()+".json" != file.Name() {
			continue // a lock, or the login of another
		}
		out = append(out, r.Place)
	}
	return out, nil
}

// RemoveProfile forgets all logins of a profile and returns where they were.
func (s *Store) RemoveProfile(ctx context.Context, profile string) (out []Place, err error) {
	places, err := s.Places(profile)
	if err != nil {
		return nil, err
	}
	for _, place := range places {
		unlock, err := s.Lock(ctx, place)
		if err != nil {
			return out, err
		}
		found, err := s.Remove(place)
		unlock()
		if err != nil {
			return out, err
		}
		if found {
			out = append(out, place)
		}
	}
	return out, nil
}

// ErrKeyring is a token that cannot be read where it is kept.
var ErrKeyring = errors.New("the token is in the keyring of this machine, which cannot be read")

// ErrNoEntry is what a keyring says that does not have an entry.
var ErrNoEntry = errors.New("the keyring has no such entry")

// lockPause is how long to wait before a lock is tried again.
const lockPause = 50 * time.Millisecond

// Lock keeps other processes from refreshing the same login at the same time.
func (s *Store) Lock(ctx context.Context, p Place) (unlock func(), err error) {
	if err := s.makeDir(); err != nil {
		return nil, err
	}
	lock := flock.New(strings.TrimSuffix(s.path(p), ".json")+".lock", flock.SetPermissions(0o600))
	for {
		ok, err := lock.TryLock()
		if err != nil {
			return nil, fmt.Errorf("login: lock: %w", err)
		}
		if ok {
			return func() { _ = lock.Unlock() }, nil // the system gives it back anyway
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-s.After(lockPause):
		}
	}
}

// Path is the file of a login.
func (s *Store) path(p Place) string { return filepath.Join(s.Dir, p.key()+".json") }

func (s *Store) makeDir() error {
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		return fmt.Errorf("login: %w", err)
	}
	return nil
}
