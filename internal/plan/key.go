package plan

import (
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
)

// SigningKey reads the private key that plans are signed with: ed25519, PEM,
// PKCS 8. Errors never hold a part of it.
func SigningKey(text []byte) (ed25519.PrivateKey, error) {
	block, _ := pem.Decode(text)
	switch {
	case block == nil:
		return nil, errors.New("it does not hold a PEM block")
	case block.Type == "ENCRYPTED PRIVATE KEY":
		return nil, errors.New("the key is encrypted; it must be plain and readable by its owner alone")
	case block.Type != "PRIVATE KEY":
		return nil, fmt.Errorf("it holds a %s, and a PRIVATE KEY (PKCS 8) is needed", block.Type)
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, errors.New("it does not hold a private key in PKCS 8")
	}
	private, ok := key.(ed25519.PrivateKey)
	if !ok {
		return nil, errors.New("its key is not an ed25519 key")
	}
	return private, nil
}

// VerifyKey reads the public key that signatures are checked with: ed25519,
// PEM, PKIX.
func VerifyKey(text []byte) (ed25519.PublicKey, error) {
	block, _ := pem.Decode(text)
	switch {
	case block == nil:
		return nil, errors.New("it does not hold a PEM block")
	case block.Type != "PUBLIC KEY":
		return nil, fmt.Errorf("it holds a %s, and a PUBLIC KEY is needed", block.Type)
	}
	key, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		return nil, errors.New("it does not hold a public key in PKIX")
	}
	public, ok := key.(ed25519.PublicKey)
	if !ok {
		return nil, errors.New("its key is not an ed25519 key")
	}
	return public, nil
}
