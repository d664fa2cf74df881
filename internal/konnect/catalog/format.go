package catalog

import (
	"cmp"
	"crypto/x509"
	"encoding/pem"
	"regexp"
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/value"
)

// Format is what Konnect asks of a text and the contract does not say. Client
// and embedded Konnect check the same: what Konnect refuses must be refused
// before anything is deleted to make room for it.
type Format string

// The formats.
const (
	// Hostname is a name that a server can have.
	Hostname Format = "hostname"
	// Domain is a host name, or all that end in one: *.example.com.
	Domain Format = "domain"
	// Certificate is an X.509 certificate in PEM form.
	Certificate Format = "certificate"
	// TrustBundle is a list of X.509 certificates in PEM form, or a reference to a
	// vault.
	TrustBundle Format = "trust bundle"
	// PrivateKey is a private key in PEM form.
	PrivateKey Format = "private key"
	// Document is JSON or YAML, as a text or as the mapping that it says. Konnect takes
	// any, and what means the same is the same. Null is a value in it.
	Document Format = "document"
	// Slug is a part of an address: slashes at its ends do not count. Konnect takes
	// any text, and shows it now with them, now without.
	Slug Format = "slug"
	// PortRange is a port, or the first and the last of several: 9092-9095.
	PortRange Format = "port range"
	// ListenAddress is an address to listen on, in a list. One that stands for all
	// addresses of a host is alone there.
	ListenAddress Format = "listen address"
	// AddressRange is an IP address, or a block of them: 192.0.2.0/24.
	AddressRange Format = "address range"
)

// Says is what a text of the format is, after "must be".
func (f Format) Says() string {
	switch f {
	case Hostname:
		return "a host name"
	case Domain:
		return "a domain name"
	case Certificate:
		return "a certificate in PEM form"
	case TrustBundle:
		return "a list of certificates in PEM form, or a vault reference"
	case PortRange:
		return "a port from 1 to 65535, or a range of them with the lower one first"
	case ListenAddress:
		return "the only address, since it stands for all"
	case AddressRange:
		return "an IP address or a CIDR block"
	default:
		return "a private key in PEM form"
	}
}

// Fix is what to do about a text that does not fit.
func (f Format) Fix(field, text string) string {
	at := strings.Index(text, pemBegin)
	switch {
	case f == PortRange:
		return portFix(text)
	case f == ListenAddress:
		return "remove the other addresses, or this one."
	case f == AddressRange:
		return "write for example 192.0.2.1 or 192.0.2.0/24"
	case f == Hostname, f == Domain:
		return "write for example " + field + ": www.example.com"
	case at >= 0 && strings.HasPrefix(text, byteOrderMark):
		return "save the file without a byte order mark, in UTF-8."
	case at > 0 && text[at-1] != '\n':
		return "remove what stands before " + pemBegin + "on its line, and the spaces that the other lines begin with."
	case at >= 0 && !strings.Contains(text, pemEnd):
		return "write the whole of it: the line that begins with " + pemEnd + "is missing."
	case at >= 0:
		return "write another one: the text between its BEGIN and END lines is damaged, or is not " + f.Says() + "."
	case f == Certificate, f == TrustBundle:
		return "name the file that holds it: " + field + ": !file certificate.pem"
	default:
		return "name the file that holds it: " + field + ": !secret {source: !file key.pem}"
	}
}

// How texts in PEM form begin and end, and what some editors put before them.
const (
	pemBegin      = "-----BEGIN "
	pemEnd        = "-----END "
	byteOrderMark = "\ufeff"
)

// fitsAmong reports whether a text has the format in a list of so many.
func (f Format) fitsAmong(text string, texts int) bool {
	return f.Fits(text) && (f != ListenAddress || texts == 1 || !isEveryAddress(text))
}

// Fits reports whether a text has the format.
func (f Format) Fits(text string) bool {
	switch f {
	case Document, Slug, ListenAddress:
		return true
	case PortRange:
		return isPortRange(text)
	case AddressRange:
		return isAddressRange(text)
	case Hostname:
		return isHostname(text)
	case Domain:
		return isHostname(strings.TrimPrefix(text, "*."))
	case Certificate:
		block, _ := pem.Decode([]byte(text))
		return block != nil && isCertificate(block)
	case TrustBundle:
		return strings.HasPrefix(text, "${") && value.FromVault(text) || isBundle(text)
	default:
		block, _ := pem.Decode([]byte(text))
		return block != nil && strings.HasSuffix(block.Type, "PRIVATE KEY")
	}
}

func isCertificate(block *pem.Block) bool {
	_, err := x509.ParseCertificate(block.Bytes)
	return err == nil
}

// isBundle reports whether a text has certificates, and every block of it is one.
func isBundle(text string) bool {
	blocks := 0
	for rest := []byte(text); ; blocks++ {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil {
			return blocks > 0 && blocks == strings.Count(text, pemBegin)
		}
		if !isCertificate(block) {
			return false
		}
	}
}

// StandIn gives a text that stands for a value nobody has the format of a field.
func (b *Bound) StandIn(path []string, text string) string {
	if f, ok := b.Format(path); ok && f == PrivateKey {
		return "-----BEGIN PRIVATE KEY-----\nComment: " + text + "\n\nAAAA\n-----END PRIVATE KEY-----\n"
	}
	s := b.write.At(path, nil)
	if s == nil {
		return text
	}
	form, err := regexp.Compile(s.Pattern)
	for _, other := range []string{text, strings.ReplaceAll(text, "-", "_"), strings.ReplaceAll(text, "-", ""), hexText} {
		if err == nil && form.MatchString(other) && (s.MinLength == nil || len(other) >= *s.MinLength) && (s.MaxLength == nil || len(other) <= *s.MaxLength) {
			return other
		}
	}
	return text
}

// hexText is a text that most patterns take.
const hexText = "00000000000000000000000000000000"

func isHostname(text string) bool {
	for _, label := range strings.Split(text, ".") {
		if label == "" || len(label) > 63 || strings.HasPrefix(label, "-") || strings.HasSuffix(label, "-") {
			return false
		}
		if strings.Trim(strings.ToLower(label), "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
			return false
		}
	}
	return true
}

// Misfits lists the fields whose text does not have its format. Skip reports
// whether the value at a path is not known yet.
func (b *Bound) Misfits(fields map[string]any, skip func(path []string) bool) []contract.Violation {
	var out []contract.Violation
	for _, f := range b.Formats {
		path := strings.Split(f.Field, ".")
		at, _ := value.Get(fields, path)
		items, isList := at.([]any)
		if !isList {
			items = []any{at}
		}
		for i, item := range items {
			where := path
			if isList {
				where = value.Path(path).Index(i)
			}
			text, ok := item.(string)
			if !ok || f.Is.fitsAmong(text, len(items)) || skip != nil && skip(where) {
				continue
			}
			out = append(out, contract.Violation{Path: where, Rule: contract.RuleFormat, Detail: "must be " + f.Is.Says()})
		}
	}
	return out
}

// Format finds the format of a field.
func (b *Bound) Format(path []string) (Format, bool) {
	name := strings.Join(path, ".")
	for _, f := range b.Formats {
		if f.Field == name {
			return f.Is, true
		}
	}
	return "", false
}

// UniqueText is a text of a field in the form that counts when no two resources
// may share it: host names are the same in any case, certificates with any line
// ends, slugs with slashes or without.
func (b *Bound) UniqueText(path []string, text string) string {
	text = strings.TrimSpace(text)
	switch f, _ := b.Format(path); f { //nolint:exhaustive // others are as they are
	case Hostname, Domain:
		return strings.ToLower(text)
	case Certificate:
		return value.Blocks(text)
	case Slug:
		return cmp.Or(strings.Trim(text, "/"), "/")
	}
	return text
}

// Validate checks what is sent with an operation of the type: against the
// contract, and against what Konnect asks beyond it.
func (b *Bound) Validate(op *contract.Operation, body map[string]any, skip func(path []string) bool) []contract.Violation {
	return append(b.ValidateBody(op, body, skip), b.Misfits(body, skip)...)
}

// ValidateBody holds what people declare against the body of an operation. The
// body of a link has none of it.
func (b *Bound) ValidateBody(op *contract.Operation, body map[string]any, skip func(path []string) bool) []contract.Violation {
	if b.Link != "" {
		return nil
	}
	return op.ValidateBody(body, skip)
}
