package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/terminal"
)

func addApproval(cmd *cobra.Command, approve *bool) {
	cmd.Flags().BoolVar(approve, "auto-approve", false, "skip the prompt (alias --yes)")
	cmd.Flags().BoolVar(approve, "yes", false, "same as --auto-approve")
	_ = cmd.Flags().MarkHidden("yes") // it was added just above
}

// confirm asks a question on the terminal. Where standard input is not the
// terminal but input, the answer comes from the terminal all the same; where
// no prompt is possible, the user must decide beforehand. What was typed before
// the question was shown is no answer to it.
func (s *streams) confirm(ctx context.Context, question string, stdinIsInput bool) error {
	impossible := usagef("cannot prompt: standard input is not a terminal; nothing was changed").WithHint("pass --auto-approve to continue without a prompt.")
	if !s.errTerminal {
		return impossible
	}
	in := s.in
	switch {
	case stdinIsInput:
		tty, err := s.terminal()
		if err != nil {
			return impossible
		}
		defer func() { _ = tty.Close() }() // it was only read
		in = tty
	case !s.inTerminal:
		return impossible
	}
	if err := terminal.Discard(in); err != nil {
		return err
	}
	if _, err := fmt.Fprintf(s.err, "\n%s [y/N] ", terminal.Line(question)); err != nil {
		return fmt.Errorf("write standard error: %w", err)
	}
	answer := make(chan string, 1)
	go func() {
		line, err := bufio.NewReader(in).ReadString('\n')
		if err != nil {
			_, _ = io.WriteString(s.err, "\n") // the answer did not end its line
		}
		answer <- strings.ToLower(strings.TrimSpace(line))
	}()
	select {
	case <-ctx.Done():
		_, _ = io.WriteString(s.err, "\n")
		return ctx.Err()
	case a := <-answer:
		if a == "y" || a == "yes" {
			return nil
		}
		return errDeclined
	}
}

// approve asks whether the plan may be carried out: the same question for every plan.
func (x *execution) approve(ctx context.Context) error {
	stdinIsInput := x.planFile == "-" || x.sources.readsStdin()
	return x.factory.world.streams.confirm(ctx, x.question(), stdinIsInput)
}
