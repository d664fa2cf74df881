// Package label holds what Konnect asks of labels and the names of the labels
// that mark a resource as managed.
//
// In: keys and values. Out: whether they are labels, and whose. It must never
// import what works on labels: client and embedded Konnect share it.
package label

import (
	"strings"

	"github.com/kongctl/kongctl/internal/pattern"
	"github.com/kongctl/kongctl/internal/resource"
)

// The labels that mark what is managed.
const (
	// Prefix starts all of them.
	Prefix = resource.MarkPrefix
	// Namespace says in which namespace a resource is managed; one without it
	// is not managed.
	Namespace = resource.NamespaceMark
	Managed   = Prefix + "managed"
	Protected = resource.ProtectedMark
	// Hash is the digest of the declaration that was applied last.
	Hash        = Prefix + "config-hash"
	LastUpdated = Prefix + "last-updated"
)

// Own is how many labels of ours a managed resource may carry.
const Own = 5

// TimeForm is the form of times in the values of labels.
const TimeForm = "20060102T150405Z"

// What Konnect asks of labels and the contract does not say.
const (
	// Max is how many labels a resource may carry.
	Max = 50
	// MaxLength is how many characters a key or a value may have.
	MaxLength = 63
	// Pattern is what keys and values match.
	Pattern = `^[a-zA-Z0-9]([a-zA-Z0-9._-]*[a-zA-Z0-9])?$`
)

var form = pattern.New(Pattern)

// Ours reports whether a key is one of those that mark what is managed.
func Ours(key string) bool { return resource.IsMark(key) }

// Fits reports whether a text can be a key or a value.
func Fits(text string) bool { return len(text) <= MaxLength && form.MatchString(text) }

// Prefixes are the beginnings of keys that Konnect keeps for itself.
func Prefixes() []string { return []string{"kong", "konnect", "mesh", "kic", "_"} }

// Reserved returns the beginnings of a key that Konnect keeps for itself.
func Reserved(key string) []string {
	var out []string
	for _, prefix := range Prefixes() {
		if strings.HasPrefix(key, prefix) {
			out = append(out, prefix)
		}
	}
	return out
}

// Protects reports whether the labels of a live resource protect it: every value
// of the label does but "false", so that a misspelt one does not unprotect.
func Protects(labels map[string]string) bool {
	text, labelled := labels[Protected]
	return labelled && ValueProtects(text)
}

// ValueProtects reports whether a value of the label protects; nil is no label.
func ValueProtects(v any) bool { return v != nil && v != "false" }
