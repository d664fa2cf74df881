package intercept

import (
	"crypto/rand"
	"crypto/x509"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// A certificate that the authority's key signs for another name is worth
// nothing.
func TestAuthorityIsBoundToKonnect(t *testing.T) {
	a, err := OpenAuthority(t.TempDir(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(a.cert)
	for name, want := range map[string]bool{
		"us.api.konghq.com": true, "konghq.com": true, "localhost": true, "example.com": false, "konghq.com.example.com": false, "notkonghq.com": false,
	} {
		tmpl, err := template(name, time.Now(), time.Now().Add(time.Hour))
		if err != nil {
			t.Fatal(err)
		}
		tmpl.DNSNames = []string{name}
		der, err := x509.CreateCertificate(rand.Reader, tmpl, a.cert, &a.key.PublicKey, a.key)
		if err != nil {
			t.Fatal(err)
		}
		cert, err := x509.ParseCertificate(der)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := cert.Verify(x509.VerifyOptions{DNSName: name, Roots: pool}); (err == nil) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestHostCertificateIsMadeAnewBeforeItEnds(t *testing.T) {
	now := time.Date(2026, time.March, 1, 0, 0, 0, 0, time.UTC)
	a, err := OpenAuthority(t.TempDir(), func() time.Time { return now })
	if err != nil {
		t.Fatal(err)
	}
	serial := func() string {
		t.Helper()
		cert, err := a.certificate()
		if err != nil {
			t.Fatal(err)
		}
		if !cert.Leaf.NotAfter.After(now) || cert.Leaf.NotAfter.After(a.cert.NotAfter) {
			t.Errorf("at %s it ends at %s", now, cert.Leaf.NotAfter)
		}
		return cert.Leaf.SerialNumber.String()
	}
	first := serial()
	now = now.AddDate(0, 1, 0)
	if serial() != first {
		t.Error("after a month it is another")
	}
	now = now.AddDate(0, 1, 10)
	if serial() == first {
		t.Error("shortly before its end it is still the old one")
	}
	now = a.cert.NotAfter.Add(-2 * renewal)
	serial()
}

// Files that others can use are told, not used.
func TestAuthorityThatOthersCanUse(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files have no modes there")
	}
	for name, file := range map[string]struct {
		path string
		mode os.FileMode
		open bool
	}{
		"a key that others can read":           {"ca-key.pem", 0o640, false},
		"a certificate that others can write":  {"ca.pem", 0o622, false},
		"a certificate that others can read":   {"ca.pem", 0o644, true},
		"a key that its owner alone can write": {"ca-key.pem", 0o600, true},
	} {
		dir := t.TempDir()
		if _, err := OpenAuthority(dir, time.Now); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(filepath.Join(dir, file.path), file.mode); err != nil {
			t.Fatal(err)
		}
		_, err := OpenAuthority(dir, time.Now)
		if (err == nil) != file.open || err != nil && !strings.Contains(err.Error(), file.path) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
