package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/view"
)

// document writes the one document that standard output is; other forms have no
// document.
func (s *streams) document(form string, data any) error {
	switch form {
	case formJSON:
		return toOutput(view.WriteJSON(s.out, data))
	case formYAML:
		return toOutput(view.WriteYAML(s.out, data))
	case formMarkdown:
		if m, ok := data.(view.Markdowner); ok {
			return toOutput(m.WriteMarkdown(s.out))
		}
	}
	return nil
}

// wantedForm is the form that a command line asks for, also where it could not be
// read to its end.
func wantedForm(cmd *cobra.Command, args []string) string {
	if cmd != nil {
		if flag := cmd.Flags().Lookup("output"); flag != nil && flag.Changed {
			args = append(args[:len(args):len(args)], "--output="+flag.Value.String())
		}
	}
	form := ""
	for i := 0; i < len(args) && args[i] != "--"; i++ {
		value, takesNext := outputFlag(args[i])
		if takesNext && i+1 < len(args) {
			value = args[i+1]
		}
		if value != "" {
			form = value
		}
	}
	return form
}

// outputFlag is the value that an argument gives to -o or --output; takesNext says
// that it is the next argument.
func outputFlag(arg string) (value string, takesNext bool) {
	if rest, long := strings.CutPrefix(arg, "--output"); long {
		value, given := strings.CutPrefix(rest, "=")
		return value, !given && rest == ""
	}
	if !strings.HasPrefix(arg, "-") || strings.HasPrefix(arg, "--") {
		return "", false
	}
	letters := arg[1:]
	at := strings.IndexByte(letters, 'o')
	if at < 0 || strings.ContainsAny(letters[:at], "fp") { // they take the rest
		return "", false
	}
	value = strings.TrimPrefix(letters[at+1:], "=")
	return value, value == ""
}
