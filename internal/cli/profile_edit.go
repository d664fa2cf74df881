package cli

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/kongctl/kongctl/internal/disk"
	"github.com/kongctl/kongctl/internal/event"
	"github.com/kongctl/kongctl/internal/profile"
)

// editConfig changes the config file. Of several processes that do, one reads and
// writes at a time, so that none loses what another wrote. The file is written
// where change reports that something changed.
func editConfig(ctx context.Context, f *factory, change func(*profile.Config) (bool, error)) (c *profile.Config, err error) {
	if c, err = profile.Open(settingsSource(f, "")); err != nil {
		return nil, err
	}
	release, err := lockConfig(ctx, f, c.Path())
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, release()) }()
	if c, err = profile.Open(settingsSource(f, "")); err != nil { // as the one before left it
		return nil, err
	}
	changed, err := change(c)
	if err != nil || !changed {
		return c, err
	}
	return c, c.Save()
}

// lockConfig waits until no other process changes the config file. Without a home
// there is no place for locks; then Save alone notices the others.
func lockConfig(ctx context.Context, f *factory, path string) (release func() error, err error) {
	host := f.host()
	if _, err := host.State(); err != nil {
		return func() error { return nil }, nil //nolint:nilerr // see above
	}
	if path, err = f.absolute(path); err != nil {
		return nil, err
	}
	path = disk.Real(filepath.Join(disk.Real(filepath.Dir(path)), filepath.Base(path)))
	locks, err := host.Locks(func(event.Event) {})
	if err != nil {
		return nil, err
	}
	return locks.Release, locks.Take(ctx, "the config file", "config", path)
}

// addProfile adds the profile of the settings to a config file that does not have
// it: commands refuse such a profile.
func addProfile(ctx context.Context, f *factory, s *profile.Settings) error {
	if !s.Missing() {
		return nil
	}
	c, err := editConfig(ctx, f, func(c *profile.Config) (bool, error) { return true, c.Add(s.Profile()) })
	if err != nil {
		return err
	}
	return say(f.world.streams.err, "Added the profile %s to %s.", s.Profile(), c.Path())
}
