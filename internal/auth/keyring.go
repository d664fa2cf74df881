package auth

import (
	"errors"
	"runtime"

	"github.com/zalando/go-keyring"
)

// SystemKeyring is the keyring of this machine, nil where none can be reached: on
// Linux it needs a session bus, and none is started for it.
func SystemKeyring(env func(string) (string, bool)) Keyring {
	if bus, _ := env("DBUS_SESSION_BUS_ADDRESS"); bus == "" && runtime.GOOS != "darwin" && runtime.GOOS != "windows" {
		return nil
	}
	return systemKeyring{}
}

type systemKeyring struct{}

// Set keeps a secret.
func (systemKeyring) Set(service, user, secret string) error {
	return keyring.Set(service, user, secret)
}

// Get returns a secret.
func (systemKeyring) Get(service, user string) (string, error) {
	secret, err := keyring.Get(service, user)
	return secret, noEntry(err)
}

// Delete removes a secret.
func (systemKeyring) Delete(service, user string) error {
	return noEntry(keyring.Delete(service, user))
}

func noEntry(err error) error {
	if errors.Is(err, keyring.ErrNotFound) {
		return ErrNoEntry
	}
	return err
}
