package diag

import "fmt"

// Unread says why an environment variable cannot be read. Taking is who takes what
// from it; why is the text that looking it up gave with false, "" where it is not set.
func Unread(taking, name, why string) (code Code, detail, fix string) {
	if why == "" {
		return CfgEnvUnset, fmt.Sprintf("%s from the environment variable %s, which is not set.", taking, name), "set it: export " + name + "=…"
	}
	return SrcCredential, fmt.Sprintf("%s from the environment variable %s, which %s. No configuration or plan may read it.", taking, name, why),
		fmt.Sprintf("name another variable, or give this one another value: export %s=…", name)
}
