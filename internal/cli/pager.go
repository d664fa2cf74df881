package cli

import (
	"bytes"
	"os"
	"os/exec"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/plan"
)

// noPager is the flag that turns the pager off.
const noPager = "no-pager"

func addPager(cmd *cobra.Command) {
	cmd.Flags().Bool(noPager, false, "do not show long output in a pager (PAGER, default less)")
}

// paged runs a command whose output may be long. On a terminal, output that does
// not fit it is shown in the pager of the user once the command has ended; without
// one, or in CI, it is written as it is.
func paged(f *factory, run func() error) error {
	s := f.world.streams
	command := pagerCommand(f)
	if len(command) == 0 || s.written == nil {
		return run()
	}
	var kept bytes.Buffer
	direct := s.written.Writer
	s.written.Writer = &kept
	err := run()
	if unwritten := s.flush(); err == nil {
		err = unwritten
	}
	s.written.Writer = direct
	if bytes.Count(kept.Bytes(), []byte("\n")) >= s.height() && f.world.pager(command, kept.Bytes()) == nil {
		return err
	}
	if _, unwritten := direct.Write(kept.Bytes()); err == nil {
		err = toOutput(unwritten)
	}
	return err
}

// pagerCommand is the program that shows long output, with its arguments; nil
// where none is wanted.
func pagerCommand(f *factory) []string {
	w := f.world
	if !w.streams.outTerminal || w.streams.height == nil || w.streams.height() == 0 || w.dumb() || w.pager == nil {
		return nil
	}
	if off := f.flags.Lookup(noPager); off == nil || off.Value.String() == "true" {
		return nil
	}
	command, set := w.env("PAGER")
	if !set {
		command = "less"
	}
	if words := strings.Fields(command); len(words) > 0 && words[0] != "cat" {
		return words
	}
	return nil
}

// runPager shows a text in a pager. It gets no token of ours.
func runPager(command []string, text []byte) error {
	program, err := exec.LookPath(command[0])
	if err != nil {
		return err
	}
	cmd := exec.Command(program, command[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(text), os.Stdout, os.Stderr
	for _, variable := range os.Environ() {
		if name, _, _ := strings.Cut(variable, "="); !plan.IsCredential(name) {
			cmd.Env = append(cmd.Env, variable)
		}
	}
	if _, set := os.LookupEnv("LESS"); !set {
		cmd.Env = append(cmd.Env, "LESS=FRX")
	}
	if _, set := os.LookupEnv("LESSCHARSET"); !set {
		cmd.Env = append(cmd.Env, "LESSCHARSET=utf-8") // of the text, whatever the locale is
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	_ = cmd.Wait() // whoever reads may end it in any way
	return nil
}
