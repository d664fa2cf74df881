package plan

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strings"

	"github.com/kongctl/kongctl/internal/terminal"
)

// Seal proves that a document is as it was written. The digest covers every
// byte of the document but itself, the signature every byte but the digest and
// itself. Parts only serve to name what was changed.
type Seal struct {
	Algorithm string  `json:"algorithm"`
	Digest    string  `json:"digest"`
	Signature *string `json:"signature"`
	Parts     Parts   `json:"parts"`
}

const sealAlgorithm = "sha256"

// signedContext keeps a signature of a plan from being one of anything else.
const signedContext = "kongctl plan\n"

// SealProblem is what is wrong with a seal.
type SealProblem uint8

// The problems.
const (
	Unsealed SealProblem = iota + 1
	Altered
	Unsigned
	OtherKey
	Unverified
)

// SealError is a plan that is not trusted, and why.
type SealError struct {
	Problem SealProblem
	// Changed names what was changed, where that is known.
	Changed []string
}

// MaxNamed is how many of several things are named.
const MaxNamed = 5

// Error says what is wrong and names what was changed.
func (e *SealError) Error() string {
	switch e.Problem {
	case Unsealed:
		return "the plan has no seal, so changes to it cannot be detected: create it again with kongctl plan"
	case Unsigned:
		return "the plan is not signed, and a signature is asked for: make it with kongctl plan --sign"
	case OtherKey:
		return "the plan's signature was not made with this key"
	case Unverified:
		return "the plan is signed, and there is no key to verify it: pass --verify-key FILE, or set plan.verify-key in the profile"
	default:
	}
	return Few(e.Changed) + " after the plan was sealed"
}

// Write renders the document and seals it: the same plan gives the same bytes.
func (p *Plan) Write() ([]byte, error) { return p.WriteSigned(nil) }

// WriteSigned is Write with a signature; without a key, unsigned.
func (p *Plan) WriteSigned(key ed25519.PrivateKey) ([]byte, error) {
	doc := *p.gathered()
	doc.Metadata.Seal = nil
	raw, err := encode(&doc)
	if err != nil {
		return nil, err
	}
	parts, err := partsOf(raw)
	if err != nil {
		return nil, err
	}
	doc.Metadata.Seal = &Seal{Algorithm: sealAlgorithm, Parts: *parts}
	if raw, err = encode(&doc); err != nil {
		return nil, err
	}
	if key != nil {
		signature := base64.StdEncoding.EncodeToString(ed25519.Sign(key, signedText(raw)))
		if raw, err = put(raw, `"`+signature+`"`, "metadata", "seal", "signature"); err != nil {
			return nil, err
		}
	}
	return put(raw, `"`+digest(raw)+`"`, "metadata", "seal", "digest")
}

func encode(doc any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(doc)
	return terminal.JSON(b.Bytes()), err
}

func digest(raw []byte) string {
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

func signedText(raw []byte) []byte { return []byte(signedContext + digest(raw)) }

// Verify reports whether a document is as it was written and, where a key is
// given, signed with it. A signature is never ignored: without a key a signed
// document is refused.
func Verify(raw []byte, key ed25519.PublicKey) error {
	blank, seal, err := verifySeal(raw)
	switch {
	case err != nil:
		return err
	case key != nil:
		return verifySignature(blank, seal, key)
	case seal.Signature != nil:
		return &SealError{Problem: Unverified}
	default:
		return nil
	}
}

// VerifySeal reports whether a document is as it was written, signed or not.
func VerifySeal(raw []byte) error {
	_, _, err := verifySeal(raw)
	return err
}

// Signed reports whether a document that is as it was written has a signature.
func Signed(raw []byte) (bool, error) {
	_, seal, err := verifySeal(raw)
	return err == nil && seal.Signature != nil, err
}

// verifySeal returns the document without its digest, and its seal.
func verifySeal(raw []byte) ([]byte, *Seal, error) {
	if !json.Valid(raw) {
		return nil, nil, &SealError{Problem: Altered, Changed: []string{"the plan is not JSON any more: it was changed"}}
	}
	start, end, found := place(raw, "metadata", "seal")
	if !found || string(raw[start:end]) == "null" {
		return nil, nil, &SealError{Problem: Unsealed}
	}
	seal := &Seal{}
	blank, err := put(raw, `""`, "metadata", "seal", "digest")
	if err != nil || json.Unmarshal(raw[start:end], seal) != nil {
		return nil, nil, &SealError{Problem: Altered, Changed: []string{"the seal was changed"}}
	}
	if seal.Algorithm != sealAlgorithm || digest(blank) != seal.Digest {
		return nil, nil, &SealError{Problem: Altered, Changed: altered(raw, blank, seal)}
	}
	return blank, seal, nil
}

func verifySignature(blank []byte, seal *Seal, key ed25519.PublicKey) error {
	if seal.Signature == nil {
		return &SealError{Problem: Unsigned}
	}
	text, err := put(blank, "null", "metadata", "seal", "signature")
	if err != nil {
		return &SealError{Problem: Unsigned}
	}
	signature, err := base64.StdEncoding.Strict().DecodeString(*seal.Signature)
	if err != nil || !ed25519.Verify(key, signedText(text), signature) {
		return &SealError{Problem: OtherKey}
	}
	return nil
}

// put replaces the value that stands at a path of keys.
func put(raw []byte, literal string, path ...string) ([]byte, error) {
	start, end, ok := place(raw, path...)
	if !ok {
		return nil, errors.New("seal: no " + strings.Join(path, "."))
	}
	out := make([]byte, 0, len(raw)+len(literal))
	out = append(out, raw[:start]...)
	out = append(out, literal...)
	return append(out, raw[end:]...), nil
}

// place finds where the value at a path of keys stands; of keys that are there
// twice the first counts.
func place(raw []byte, path ...string) (start, end int, ok bool) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	for _, want := range path[:len(path)-1] {
		if !enter(dec) || !turnTo(dec, want) {
			return 0, 0, false
		}
	}
	if !enter(dec) || !turnTo(dec, path[len(path)-1]) {
		return 0, 0, false
	}
	var value json.RawMessage
	if dec.Decode(&value) != nil {
		return 0, 0, false
	}
	end = int(dec.InputOffset())
	return end - len(value), end, true
}

func enter(dec *json.Decoder) bool {
	token, err := dec.Token()
	return err == nil && token == json.Delim('{')
}

// turnTo reads an object up to the value of a key.
func turnTo(dec *json.Decoder, want string) bool {
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return false
		}
		if key == want {
			return true
		}
		var skipped json.RawMessage
		if dec.Decode(&skipped) != nil {
			return false
		}
	}
	return false
}
