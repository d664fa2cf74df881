package view

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/plan"
)

// notCompared says that a plan cannot tell whether secrets and other values changed
// that the target does not return, and how to write them.
func notCompared(p *plan.Plan) string {
	var open, null, replacing int
	var fixed, nouns []string
	whole := map[string][]string{} // refs by noun
	for _, x := range p.NotCompared {
		switch {
		case x.Noun != "":
			if whole[x.Noun] == nil {
				nouns = append(nouns, x.Noun)
			}
			whole[x.Noun] = append(whole[x.Noun], x.ResourceRef)
		case x.Null:
			null++
		case !x.Immutable:
			open++
		default:
			replacing++
			if !slices.Contains(fixed, x.ResourceRef) {
				fixed = append(fixed, x.ResourceRef)
			}
		}
	}
	text := inPlace(open, null)
	all := text != "" // one of the two flags is named: they exclude each other
	switch replacing {
	case 0:
	case 1:
		text += " 1 secret is not compared and needs a replace: " + byName(fixed, all) + "."
	default:
		text += fmt.Sprintf(" %d secrets are not compared and need a replace: %s.", replacing, byName(fixed, all))
	}
	for _, noun := range nouns {
		text += unreturned(noun, whole[noun], all)
	}
	return text
}

// byName are the flags that ask for refs, which the flag that asks for all does not
// replace.
func byName(refs []string, all bool) string {
	if all {
		return "pass " + asking(refs) + " in place of --write-secrets"
	}
	return asking(refs)
}

// unreturned says of resources that all that counts of them is not compared. What asks
// for all secrets asks for them, too.
func unreturned(noun string, refs []string, all bool) string {
	noun = printable(noun)
	by := asking(refs)
	if all {
		by = "--write-secrets"
	}
	if len(refs) == 1 {
		return fmt.Sprintf(" The %s is not compared: Konnect does not return it; %s writes it.", noun, by)
	}
	return fmt.Sprintf(" %s are not compared: Konnect does not return them; %s writes them.", count(len(refs), noun), by)
}

// asking are the flags that ask for some refs.
func asking(refs []string) string {
	const most = 3
	var out []string
	for _, ref := range refs[:min(len(refs), most)] {
		out = append(out, "--write-secret "+printable(ref))
	}
	if len(refs) > most {
		out = append(out, "…")
	}
	return strings.Join(out, " ")
}

// inPlace says of secrets that an update can write that they are not compared.
func inPlace(open, null int) (text string) {
	switch {
	case open == 1:
		text = " 1 secret is not compared: --write-secrets writes it."
	case open > 1:
		text = fmt.Sprintf(" %d secrets are not compared: --write-secrets writes them.", open)
	}
	switch {
	case null == 1:
		text += " 1 secret that is declared as null is not compared: --write-secrets takes it away."
	case null > 1:
		text += fmt.Sprintf(" %d secrets that are declared as null are not compared: --write-secrets takes them away.", null)
	}
	return text
}
