package cli

import (
	"strings"
	"testing"
)

// Every command takes --local, or is one of those that refuse it.
func TestEveryCommandTakesLocal(t *testing.T) {
	root := newRootCmd(newConsole(t).factory)
	root.InitDefaultHelpCmd()
	commands, ignored := 0, 0
	for _, cmd := range append(descendants(root), root) {
		words := strings.Fields(cmd.CommandPath())
		flag := cmd.Flags().Lookup("local")
		refuses := len(words) > 1 && refuseLocal[words[1]]
		commands++
		if (flag == nil) != refuses {
			t.Errorf("%s has --local: %v", cmd.CommandPath(), flag != nil)
		}
		if flag != nil && flag.Hidden {
			ignored++
		}
	}
	if commands < 60 || ignored < 20 {
		t.Errorf("%d commands, of which %d hide --local", commands, ignored)
	}
}

// Commands that need no Konnect do the same with --local, on either side of their name:
// they end alike and print the same. They do not show it; others refuse it as before.
func TestLocalIsIgnored(t *testing.T) {
	for _, line := range []string{
		"explain portal", "explain portal.name -o json", "scaffold api", "schema", "version", "version --full", "validate -f portals.yaml", "graph -f portals.yaml", "lint portals.yaml",
		"completion bash", "help plan", "help topics", "manual DIR", "local status", "create", "dump", "api", "local", "",
	} {
		args := strings.Fields(strings.Replace(line, "DIR", t.TempDir(), 1))
		plain := newConsole(t)
		plain.write("portals.yaml", portals)
		want := plain.run(args...)
		printed := strings.ReplaceAll(plain.out.String(), plain.dir, "")
		for _, with := range [][]string{append([]string{"--local"}, args...), append(append([]string{}, args...), "--local")} {
			c := newConsole(t)
			c.write("portals.yaml", portals)
			if got := c.run(with...); got != want || strings.Contains(c.err.String(), "no flag") {
				t.Errorf("%v: %d %s, and without --local %d %s", with, got, c.err.String(), want, plain.err.String())
			}
			if got := strings.ReplaceAll(c.out.String(), c.dir, ""); got != printed {
				t.Errorf("%v prints\n%s\nand without --local\n%s", with, got, printed)
			}
		}
		c := newConsole(t)
		if c.run(append(args, "--help")...); line != "" && strings.Contains(c.out.String(), "    --local ") {
			t.Errorf("%s shows --local:\n%s", line, c.out)
		}
	}
	for line, says := range map[string]string{
		"login": "--local needs no login", "logout": "--local needs no login", "profile list": "has no flag --local", "live plan": "has no flag --local", "explain portal --lokal": "has no flag --lokal",
	} {
		c := newConsole(t)
		c.want(exitUsage, append(strings.Fields(line), "--local")...)
		contains(t, line, c.err, says)
	}
}
