package cli

import (
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
)

// nearest returns the known word that was probably meant: one that begins with
// the word, else one that is spelt alike; or "".
func nearest(word string, known []string) string {
	for _, k := range known {
		if strings.HasPrefix(k, word) && len(word) > 1 {
			return k
		}
	}
	return diag.Nearest(word, known)
}

// nearestFlag is nearest for names of flags. Where many end in the same word, as those of
// parents in -name, what stands before that must be spelt alike.
func nearestFlag(name string, known []string) string {
	at := strings.LastIndex(name, "-")
	if at < 0 {
		return nearest(name, known)
	}
	var stems []string
	for _, k := range known {
		if stem, ends := strings.CutSuffix(k, name[at:]); ends {
			stems = append(stems, stem)
		}
	}
	if len(stems) == 0 {
		return nearest(name, known)
	}
	if stem := nearest(name[:at], stems); stem != "" {
		return stem + name[at:]
	}
	return ""
}
