package diag

import (
	"fmt"
	"strings"
)

// A puts the article before a noun: a portal, an API. Plurals get none.
func A(noun string) string {
	first, _, _ := strings.Cut(noun, " ")
	vowels := "aeiouAEIOU"
	if len(first) > 1 && strings.ToUpper(first) == first || strings.HasPrefix(first, "mTLS") {
		vowels = "AEFHILMmNORSX" // letters that are spoken with a vowel first
	}
	switch {
	case strings.HasSuffix(noun, "s"):
		return noun
	case strings.HasPrefix(noun, "us"), strings.HasPrefix(noun, "uni"):
		return "a " + noun
	case noun != "" && strings.ContainsRune(vowels, rune(noun[0])):
		return "an " + noun
	default:
		return "a " + noun
	}
}

// Count is a number with its noun: 1 policy, 2 policies.
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	stem, isY := strings.CutSuffix(noun, "y")
	if isY && stem != "" && !strings.ContainsRune("aeiou", rune(stem[len(stem)-1])) {
		return fmt.Sprintf("%d %sies", n, stem)
	}
	if strings.HasSuffix(noun, "s") && !strings.HasSuffix(noun, "ss") {
		return fmt.Sprintf("%d %s", n, noun) // settings, members
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Sentence begins a text with a capital letter.
func Sentence(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// Join lists words: a, b and c, with the last one after the given word.
func Join(words []string, last string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	n := len(words) - 1
	return strings.Join(words[:n], ", ") + " " + last + " " + words[n]
}
