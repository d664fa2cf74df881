package value

import "strings"

// IsCredential reports whether an environment variable holds a credential of
// kongctl itself, in any profile: no configuration, plan or decK file may read
// it, or whoever writes one could send the token anywhere.
func IsCredential(name string) bool {
	name = strings.ToUpper(name)
	if rest, ours := strings.CutPrefix(name, "KONGCTL_"); ours {
		return IsCredentialWord(rest[strings.LastIndexByte(rest, '_')+1:])
	}
	rest, deck := strings.CutPrefix(name, "DECK_KONNECT_")
	return deck && IsCredentialWord(rest)
}

// IsCredentialWord reports whether a setting whose name ends in this word must
// never be shown. These are the words of kongctl's own settings; fields of
// resources go by NamesSecret.
func IsCredentialWord(word string) bool {
	switch strings.ToUpper(word) {
	case "PAT", "TOKEN", "SECRET", "PASSWORD":
		return true
	default:
		return false
	}
}
