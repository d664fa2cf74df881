// Package intercept leads unmodified clients of Konnect to the embedded one: by
// TLS in the name of Konnect's hosts, and by an HTTP proxy.
//
// In: a listener, the handler to lead to, and a folder for the files of an own
// certificate authority. Out: answers of that handler alone; a request for any
// other host is refused, never forwarded. It must never import the engine
// (config, target, plan, execute…), and never dial.
package intercept

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"
)

const (
	certificateFile = "ca.pem"
	keyFile         = "ca-key.pem"

	authorityLife = 2 * 365 * 24 * time.Hour
	hostLife      = 90 * 24 * time.Hour
	// renewal is how long before its end a certificate is made again.
	renewal = 30 * 24 * time.Hour
	// skew is how far behind the clocks of clients may be.
	skew = time.Hour
)

// Authority signs the certificate of Konnect's hosts. Its own is bound to their
// names and to this machine: whoever gets hold of its key can play nobody else.
type Authority struct {
	file string
	now  func() time.Time
	cert *x509.Certificate
	key  *ecdsa.PrivateKey

	mu   sync.Mutex
	host *tls.Certificate
}

// OpenAuthority reads the authority of a folder. It makes one where there is
// none, or where the one that is there ends soon.
func OpenAuthority(dir string, now func() time.Time) (*Authority, error) {
	a := &Authority{file: filepath.Join(dir, certificateFile), now: now}
	err := a.load(filepath.Join(dir, keyFile))
	if errors.Is(err, fs.ErrNotExist) || (err == nil && now().Add(renewal).After(a.cert.NotAfter)) {
		err = a.create(dir)
	}
	if err != nil {
		return nil, fmt.Errorf("certificate authority: %w", err)
	}
	return a, nil
}

// NewAuthority makes an authority for this process alone. The folder gets its
// certificate; its key is in no file.
func NewAuthority(dir string, now func() time.Time) (*Authority, error) {
	a := &Authority{file: filepath.Join(dir, certificateFile), now: now}
	err := a.generate()
	if err == nil {
		err = writePEM(a.file, "CERTIFICATE", a.cert.Raw)
	}
	if err != nil {
		return nil, fmt.Errorf("certificate authority: %w", err)
	}
	return a, nil
}

// File is the path of the certificate that clients must trust.
func (a *Authority) File() string { return a.file }

// What nobody but the owner may do with the files: a key that others can read is
// no secret, a certificate that others can write is theirs.
const (
	keyClosed         fs.FileMode = 0o077
	certificateClosed fs.FileMode = 0o022
)

func (a *Authority) load(keyPath string) error {
	certDER, err := readPEM(a.file, certificateClosed)
	if err != nil {
		return err
	}
	keyDER, err := readPEM(keyPath, keyClosed)
	if err != nil {
		return err
	}
	cert, err := x509.ParseCertificate(certDER)
	if err != nil {
		return damaged(a.file, err)
	}
	parsed, err := x509.ParsePKCS8PrivateKey(keyDER)
	if err != nil {
		return damaged(keyPath, err)
	}
	key, ok := parsed.(*ecdsa.PrivateKey)
	if !ok || !key.PublicKey.Equal(cert.PublicKey) {
		return damaged(keyPath, errors.New("it is not the key of "+certificateFile))
	}
	a.cert, a.key = cert, key
	return nil
}

func readPEM(path string, closed fs.FileMode) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if mode := info.Mode().Perm(); mode&closed != 0 && runtime.GOOS != "windows" {
		return nil, damaged(path, fmt.Errorf("others than its owner may use it (mode %04o)", mode))
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(raw)
	if block == nil {
		return nil, damaged(path, errors.New("it is not in PEM form"))
	}
	return block.Bytes, nil
}

// damaged tells of a file that is not overwritten: somebody may trust it.
func damaged(path string, err error) error {
	return fmt.Errorf("%s: %w; remove %s and %s to have new ones made", path, err, certificateFile, keyFile)
}

// create makes an authority and keeps it in a folder.
func (a *Authority) create(dir string) error {
	if err := a.generate(); err != nil {
		return err
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(a.key)
	if err != nil {
		return err
	}
	// Without its key a certificate is as good as none, so the key goes first.
	return errors.Join(
		os.MkdirAll(dir, 0o700),
		writePEM(filepath.Join(dir, keyFile), "PRIVATE KEY", keyDER),
		writePEM(a.file, "CERTIFICATE", a.cert.Raw),
	)
}

// generate makes a key and its certificate.
func (a *Authority) generate() error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	now := a.now().UTC()
	tmpl, err := template("kongctl local authority", now, now.Add(authorityLife))
	if err != nil {
		return err
	}
	tmpl.IsCA, tmpl.BasicConstraintsValid, tmpl.MaxPathLenZero = true, true, true
	tmpl.KeyUsage = x509.KeyUsageCertSign | x509.KeyUsageCRLSign
	tmpl.PermittedDNSDomainsCritical = true
	tmpl.PermittedDNSDomains = []string{domain, "localhost"}
	tmpl.PermittedIPRanges = []*net.IPNet{
		{IP: net.IPv4(127, 0, 0, 0).To4(), Mask: net.CIDRMask(8, 32)}, {IP: net.IPv6loopback, Mask: net.CIDRMask(128, 128)},
	}
	der, err := x509.CreateCertificate(rand.Reader, tmpl, tmpl, &key.PublicKey, key)
	if err != nil {
		return err
	}
	a.cert, err = x509.ParseCertificate(der)
	a.key = key
	return err
}

func template(name string, from, to time.Time) (*x509.Certificate, error) {
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127))
	if err != nil {
		return nil, err
	}
	return &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: name, Organization: []string{"kongctl"}},
		NotBefore: from.Add(-skew), NotAfter: to,
	}, nil
}

// writePEM writes a file that only its owner may read, whole or not at all.
func writePEM(path, kind string, der []byte) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name()) // the first error tells
		}
	}()
	_, err = f.Write(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// config is the TLS of Konnect's hosts.
func (a *Authority) config() *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"},
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return a.certificate() },
	}
}

// certificate is the one of all hosts, made again before it ends.
func (a *Authority) certificate() (*tls.Certificate, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := a.now().UTC()
	if a.host != nil && now.Add(renewal).Before(a.host.Leaf.NotAfter) {
		return a.host, nil
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	end := now.Add(hostLife)
	if a.cert.NotAfter.Before(end) {
		end = a.cert.NotAfter
	}
	tmpl, err := template(domain, now, end)
	if err != nil {
		return nil, err
	}
	tmpl.KeyUsage, tmpl.ExtKeyUsage = x509.KeyUsageDigitalSignature, []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	tmpl.DNSNames = []string{"*.api." + domain, "*." + domain, domain, "localhost"}
	tmpl.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback}
	der, err := x509.CreateCertificate(rand.Reader, tmpl, a.cert, &key.PublicKey, a.key)
	if err != nil {
		return nil, err
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, err
	}
	// The authority goes along, so that clients that know it by the hash of its
	// key find it.
	a.host = &tls.Certificate{Certificate: [][]byte{der, bytes.Clone(a.cert.Raw)}, PrivateKey: key, Leaf: leaf}
	return a.host, nil
}
