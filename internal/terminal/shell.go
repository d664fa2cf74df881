package terminal

import "strings"

// ShellWord is a text as a shell takes it for one word.
func ShellWord(text string) string {
	for _, r := range text {
		if !strings.ContainsRune("/:._-+@%,=", r) && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') {
			return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
		}
	}
	if text == "" {
		return "''"
	}
	return text
}
