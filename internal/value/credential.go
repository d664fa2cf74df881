package value

import "strings"

// IsCredential reports whether an environment variable holds a credential of
// kongctl itself, in any profile, or of a tool whose variables for credentials
// begin with one of the given prefixes: no configuration, plan or other input may
// read it, or whoever writes one could send the token anywhere.
func IsCredential(name string, tools ...string) bool {
	name = strings.ToUpper(name)
	if rest, ours := strings.CutPrefix(name, "KONGCTL_"); ours {
		return IsCredentialWord(rest[strings.LastIndexByte(rest, '_')+1:])
	}
	for _, tool := range tools {
		if rest, its := strings.CutPrefix(name, tool); its && IsCredentialWord(rest) {
			return true
		}
	}
	return false
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
