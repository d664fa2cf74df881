package resource

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/pattern"
	"github.com/kongctl/kongctl/internal/value"
)

// KnownBy names the fields that a resource is found by, as people write them, with a word
// before the last one: "name", or "key".
func KnownBy(t *Type, word string) string {
	var fields []string
	for _, f := range t.Identity {
		fields = append(fields, t.Written(f))
	}
	switch last := len(fields) - 1; {
	case last < 0:
		return "name"
	case last == 0:
		return fields[0]
	default:
		return strings.Join(fields[:last], ", ") + " " + word + " " + fields[last]
	}
}

// MaxName is how many characters a text may have to be a name or a ref.
const MaxName = 63

// titles are the fields that name a resource of any type.
func titles() []string { return []string{"name", "title"} }

// Titles are the fields that name a resource before its identity does.
func (t *Type) Titles() []string {
	if t.Nest != "" || t.Keyed {
		return nil // its slug or key is what links and configurations use
	}
	return titles()
}

// NameFields are the fields that a resource can be asked for by.
func (t *Type) NameFields() []string {
	if t.Keyed {
		return t.Identity
	}
	return slices.Concat(titles(), t.Identity)
}

// ShortName is a text, or a digest of one that is too long to be a name.
func ShortName(text string) string {
	if len(text) <= MaxName {
		return text
	}
	sum := sha256.Sum256([]byte(strings.TrimSpace(text)))
	return hex.EncodeToString(sum[:4])
}

// shownName is what the fields that an object shows say together; "" where one is
// missing.
func shownName(t *Type, o *Object) string {
	var parts []string
	for _, f := range t.Shows {
		v, _ := value.Get(o.Fields, value.ParsePath(f))
		s, ok := v.(string)
		if !ok || s == "" {
			return ""
		}
		parts = append(parts, s)
	}
	return ShortRef(strings.Join(parts, " "))
}

// ShortRef is a text that may be a ref by its length: of a longer one the beginning
// and a digest of all of it.
func ShortRef(text string) string {
	if len(text) <= MaxName {
		return text
	}
	sum := sha256.Sum256([]byte(text))
	digest := "-" + hex.EncodeToString(sum[:4])
	head := strings.ToValidUTF8(text[:MaxName-len(digest)], "")
	return strings.TrimRight(head, "-._,:={ ") + digest
}

// WithName names a resource in a sentence by what it is and its name: what exists once
// may have none.
func WithName(words, name string) string {
	if name == "" {
		return words
	}
	return fmt.Sprintf("%s %q", words, name)
}

// lookupForm begins the refs of resources that a field looks up.
const lookupForm = "lookup:"

// LookupRef is the ref, but for its length, of a resource of a kind that a field looks
// up, by the conditions that find it. People cannot write such a ref.
func LookupRef(kind, conditions string) string { return lookupForm + kind + ":" + conditions }

// ShownRef is a ref as people are shown it: of a resource that is looked up its name,
// else the one that it is looked up by, else all of the conditions.
func ShownRef(ref, name string) string {
	looked, isLookup := strings.CutPrefix(ref, lookupForm)
	_, conditions, found := strings.Cut(looked, ":")
	if !isLookup || !found {
		return ref
	}
	if name != "" {
		return name
	}
	if field, text, one := strings.Cut(conditions, "="); one && text != "" && !strings.ContainsAny(field, ",( ") && !strings.Contains(text, ",") && slices.Contains(titles(), field) {
		return text
	}
	return conditions
}

// Words is a kind as people say it: portal_page, portal page; dcr_provider, DCR
// provider.
func Words(kind string) string {
	words := strings.Split(kind, "_")
	for i, w := range words {
		stem, plural := strings.CutSuffix(w, "s")
		switch {
		case acronym(w) != "":
			words[i] = acronym(w)
		case plural && acronym(stem) != "":
			words[i] = acronym(stem) + "s"
		}
	}
	return strings.Join(words, " ")
}

// Noun is a type as people say it where it is clear what its resources belong to.
func (t *Type) Noun() string {
	if t.Parent == nil {
		return Words(t.Kind)
	}
	return Words(strings.TrimPrefix(t.Kind, t.Parent.Kind+"_"))
}

// acronym is how an acronym is written; "" for other words.
func acronym(word string) string {
	for _, known := range strings.Fields("ACL AI API CA DCR DNS HMAC IP JWT MCP mTLS OAuth2 SNI SSO TLS") {
		if strings.ToLower(known) == word {
			return known
		}
	}
	return ""
}

var refForm = pattern.New(`^[a-zA-Z0-9][a-zA-Z0-9._-]*$`)

// ValidRef reports whether a text may be a ref.
func ValidRef(text string) bool { return len(text) <= MaxName && refForm.MatchString(text) }
