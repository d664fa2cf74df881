package script

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"os"
	"path/filepath"
)

// signingKeys writes two pairs of keys to sign plans with: NAME.key, NAME.pub.
func signingKeys(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, name := range []string{"ours", "theirs"} {
		public, private, err := ed25519.GenerateKey(rand.Reader)
		if err != nil {
			return err
		}
		key, err := x509.MarshalPKCS8PrivateKey(private)
		if err != nil {
			return err
		}
		pub, err := x509.MarshalPKIXPublicKey(public)
		if err != nil {
			return err
		}
		for file, block := range map[string]*pem.Block{
			name + ".key": {Type: "PRIVATE KEY", Bytes: key},
			name + ".pub": {Type: "PUBLIC KEY", Bytes: pub},
		} {
			if err := os.WriteFile(filepath.Join(dir, file), pem.EncodeToMemory(block), 0o600); err != nil {
				return err
			}
		}
	}
	return nil
}
