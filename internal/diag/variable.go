package diag

import "fmt"

// Why looking up an environment variable that is set gives nothing: the text that comes
// with false.
const (
	HoldsCredential = "holds a credential of kongctl"
	HoldsToken      = "holds the token of kongctl"
)

// Withheld reports whether a text is such a reason. Any other is a value, and never shown.
func Withheld(why string) bool { return why == HoldsCredential || why == HoldsToken }

// Unread says why an environment variable cannot be read. Taking is who takes what
// from it; why is the text that looking it up gave with false.
func Unread(taking, name, why string) (code Code, detail, fix string) {
	if !Withheld(why) {
		return CfgEnvUnset, fmt.Sprintf("%s from the environment variable %s, which is not set.", taking, name), "set it: export " + name + "=…"
	}
	return SrcCredential, fmt.Sprintf("%s from the environment variable %s, which %s. No configuration or plan may read it.", taking, name, why),
		fmt.Sprintf("name another variable, or give this one another value: export %s=…", name)
}
