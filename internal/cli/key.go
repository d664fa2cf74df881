package cli

import (
	"crypto/ed25519"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"github.com/kongctl/kongctl/internal/disk"
	"github.com/kongctl/kongctl/internal/plan"
)

// maxKeySize is far more than any key needs.
const maxKeySize = 1 << 16

// signingKey reads the private key of --sign; nil when none is named.
func (f *factory) signingKey(file string) (ed25519.PrivateKey, error) {
	if file == "" {
		return nil, nil
	}
	text, err := readSmall(f, file, maxKeySize, ownerOnly)
	if err != nil {
		return nil, fmt.Errorf("signing key %s: %w", file, err)
	}
	key, err := plan.SigningKey(text)
	if err != nil {
		return nil, fmt.Errorf("signing key %s: %w", file, err)
	}
	return key, nil
}

// verifyKey reads the public key that saved plans must be signed with; nil when
// the setting names none. Only the flag may name it by a relative path: what a
// profile demands must not depend on the current folder.
func (f *factory) verifyKey() (ed25519.PublicKey, error) {
	s, err := f.settings()
	if err != nil {
		return nil, err
	}
	file, origin, _ := s.Lookup(settingVerifyKey)
	switch {
	case file == "" && f.flags.Changed("verify-key"):
		return nil, usagef("--verify-key: no file is named")
	case file == "":
		return nil, nil
	}
	if origin != "flag" && !filepath.IsAbs(file) {
		return nil, usagef("%s (%s): %s is not an absolute path", settingVerifyKey, origin, file)
	}
	text, err := readSmall(f, file, maxKeySize, anybody)
	if err != nil {
		return nil, fmt.Errorf("verify key %s: %w", file, err)
	}
	key, err := plan.VerifyKey(text)
	if err != nil {
		return nil, fmt.Errorf("verify key %s: %w", file, err)
	}
	return key, nil
}

// ownerOnly refuses a file that others than its owner may read or change.
func ownerOnly(info os.FileInfo) error {
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return fmt.Errorf("others may read it (mode %04o): chmod 600 lets its owner alone", info.Mode().Perm())
	}
	return nil
}

// anybody allows every file.
func anybody(os.FileInfo) error { return nil }

// readSmall reads a file that has no reason to be large.
func readSmall(f *factory, file string, limit int64, allowed func(os.FileInfo) error) ([]byte, error) {
	path, err := f.absolute(file)
	if err != nil {
		return nil, err
	}
	h, err := os.Open(path)
	if err != nil {
		return nil, disk.Cause(err)
	}
	defer func() { _ = h.Close() }() // it is only read
	// The open file is asked, not the name: it cannot be exchanged in between.
	info, err := h.Stat()
	if err != nil {
		return nil, disk.Cause(err)
	}
	if err := allowed(info); err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(h, limit+1))
	switch {
	case err != nil:
		return nil, disk.Cause(err)
	case int64(len(text)) > limit:
		return nil, fmt.Errorf("it is larger than %d KiB", limit>>10)
	default:
		return text, nil
	}
}
