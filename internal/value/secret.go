package value

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/kongctl/kongctl/internal/pattern"
)

// secretWords are the words by which the name of a field says that it holds a
// secret. Every target judges by this list; what it knows better about a field
// is a table of its own.
var secretWords = strings.Join([]string{
	"password", "passwd", "passphrase", "secrets?", "tokens?", "credentials?", "authorization", "cookie",
	"api_?keys?", "x-api-key", "private_keys?", "secret_keys?", "access_keys?", "access_key_id", "aws_key", "account_key", "client_key",
	"provision_key", "hmac_key", "encryption_keys?", "decryption_keys?", "signing_keys?", "encrypt_key", "jwks?",
	"header_value", "headers_values", "param_value", "authorization_value", "secret_id", "cert_key", "content_safety_key", "service_account_json", "webhook_url",
}, "|")

// Few commands ask for a mention, so that it is compiled when one does.
var secretMention = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)` + secretWords) })

var secretName = pattern.New(`(?i)(^|[_\-.])(` + secretWords + `)$`)

// NamesSecret reports whether a field of this name holds a secret: its last
// word says so, as in redis_password and client_secret, but not in
// password_field_name.
func NamesSecret(name string) bool { return secretName.MatchString(name) }

// MentionsSecret reports whether a name has a secret's word anywhere in it: such
// a field may hold a secret, and whoever knows no better takes it for one.
func MentionsSecret(name string) bool { return secretMention().MatchString(name) }

// password finds one in a URL: user, password and host, whatever stands in the
// password but the signs that end a host.
var password = pattern.New(`([A-Za-z][A-Za-z0-9+.-]*://[^/?#@:\s]*):([^/?#\s]+)@`)

// parameter finds a name and a value in the query of a URL or a path.
var parameter = pattern.New(`([?&])([A-Za-z0-9_.\-]+)=([^&#\s]+)`)

// HidePassword replaces the passwords in URLs, and in queries the values of names
// that are a secret's, as in /flights?api_key=x. A reference to a vault is kept.
func HidePassword(text, hidden string) string {
	if strings.Contains(text, "://") && strings.Contains(text, "@") {
		text = password.ReplaceAllString(text, "${1}:"+strings.ReplaceAll(hidden, "$", "$$")+"@")
	}
	if !strings.Contains(text, "=") || !strings.Contains(text, "?") {
		return text
	}
	return parameter.ReplaceAllStringFunc(text, func(found string) string {
		m := parameter.FindStringSubmatch(found)
		if !NamesSecret(m[2]) || strings.HasPrefix(m[3], "{vault://") || m[3] == hidden {
			return found
		}
		return m[1] + m[2] + "=" + hidden
	})
}

// vaultReference is all of a reference: nothing stands around it that could be a secret.
var vaultReference = pattern.New(`^(\{vault://[^{}\s]+\}|\$\{\s*(vault|env)(\.[A-Za-z_][A-Za-z0-9_-]*|\[\s*("[^"{}]+"|'[^'{}]+')\s*\])+\s*\})$`)

// FromVault reports whether a text is not a secret but says in which vault or variable
// of the data plane one lies: {vault://env/name} in gateways, ${vault.env['NAME']} and
// ${env["NAME"]} in event gateways.
func FromVault(text string) bool { return vaultReference.MatchString(text) }

// AllFromVault reports whether a value is a reference into a vault, or a list of
// nothing else.
func AllFromVault(v any) bool {
	switch x := v.(type) {
	case string:
		return FromVault(x)
	case []any:
		return len(x) > 0 && !slices.ContainsFunc(x, func(e any) bool { return !AllFromVault(e) })
	default:
		return false
	}
}
