package sdk

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"os"
	"regexp"
	"strconv"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"
)

// sample is what the SDK sends for a kind. Also are other forms of a create.
// Single: no two of one form can be beside each other. By is the kind whose creation
// brings one about.
type sample struct {
	Key, Below, By string
	Single         bool
	Differs        []string
	Create, Update map[string]any
	Also           []map[string]any
}

func loadSamples(t *testing.T) map[string]sample {
	t.Helper()
	raw, err := os.ReadFile("samples.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var out map[string]sample
	if err := yaml.Unmarshal(raw, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

var placeholder = regexp.MustCompile(`\$\{([a-z_]+)\}`)

// expand puts values in the place of ${…}, everywhere in plain data.
func expand(v any, value func(name string) string) any {
	switch x := v.(type) {
	case string:
		return placeholder.ReplaceAllStringFunc(x, func(match string) string {
			return value(placeholder.FindStringSubmatch(match)[1])
		})
	case map[string]any:
		out := make(map[string]any, len(x))
		for k, e := range x {
			out[k] = expand(e, value)
		}
		return out
	case []any:
		out := make([]any, len(x))
		for i, e := range x {
			out[i] = expand(e, value)
		}
		return out
	default:
		return v
	}
}

// body is a sample with all values; nil for none. Its certificate and its key
// belong together.
func (s *scene) body(sample map[string]any) map[string]any {
	s.t.Helper()
	if sample == nil {
		return nil
	}
	pair := map[string]string{}
	out, _ := expand(sample, func(name string) string {
		if name != "certificate" && name != "key" {
			return s.value(name)
		}
		if pair[name] == "" {
			pair["certificate"], pair["key"] = certificate(s.t)
		}
		return pair[name]
	}).(map[string]any)
	return out
}

// value is what stands for a name in ${…}.
func (s *scene) value(name string) string {
	s.t.Helper()
	switch name {
	case "n":
		return strconv.Itoa(*s.n)
	case "name":
		return s.name
	default:
		return s.reference(name).id
	}
}

// certificate is one that there was not before, and a key.
func certificate(t *testing.T) (cert, private string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	tmpl := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: time.Now(), NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, tmpl, tmpl, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	encode := func(kind string, der []byte) string {
		return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
	}
	return encode("CERTIFICATE", der), encode("PRIVATE KEY", keyDER)
}
