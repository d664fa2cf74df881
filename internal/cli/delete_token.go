package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/engine"
)

type deleteTokenOptions struct {
	factory     *factory
	connect     connectFlags
	request     engine.TokenRequest
	autoApprove bool
}

func deleteTokenCmd(f *factory, kind engine.TokenKind, runF func(context.Context, *deleteTokenOptions) error) *cobra.Command {
	o := &deleteTokenOptions{factory: f, request: engine.TokenRequest{Kind: kind}}
	account := ""
	if word := kind.AccountWord(); word != "" {
		account = " --" + word + "-name builds"
	}
	line := "  kongctl delete " + kind.Word() + " ci" + account
	cmd := &cobra.Command{
		Use:     kind.Word() + " NAME|ID",
		Aliases: []string{kind.Word() + "s"},
		Short:   "Delete a " + kind.Words(),
		Long:    "Delete a " + kind.Words() + ", by name or id.\nWhoever uses it is refused from then on.",
		Example: line + "\n" + line + " --auto-approve\n" + line + " --region eu",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 || args[0] == "" {
				return usagef("%s: takes one name or id, got %d", cmd.CommandPath(), len(args)).WithHint("kongctl get %s lists the tokens.", kind.Word())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.connect.check(cmd); err != nil {
				return err
			}
			if err := checkAccount(o.request); err != nil {
				return err
			}
			o.request.Name = args[0]
			if runF == nil {
				runF = deleteTokenRun
			}
			return runF(cmd.Context(), o)
		},
	}
	cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		f.flags = cmd.Flags()
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return tokenNames(f, o.connect.local, o.request), cobra.ShellCompDirectiveNoFileComp
	}
	addApproval(cmd, &o.autoApprove)
	addAccount(cmd, &o.request)
	o.connect.add(cmd)
	return cmd
}

func deleteTokenRun(ctx context.Context, o *deleteTokenOptions) error {
	d := newDisplay(o.factory)
	defer d.close()
	e, err := o.factory.openEngine(engineOptions{local: o.connect.local, sink: d.sink})
	if err != nil {
		return err
	}
	found, err := engine.FindToken(ctx, e, o.request)
	d.close()
	if err != nil {
		return err
	}
	s := o.factory.world.streams
	if !o.autoApprove {
		question := fmt.Sprintf("Do you want to delete the %s %q (id %s)?", o.request.Kind.Words(), found.Name, found.ID)
		if err := s.confirm(ctx, question, false); err != nil {
			return err
		}
	}
	if err := engine.DeleteToken(ctx, e, o.request, found); err != nil {
		return err
	}
	return toOutput(say(s.out, "Deleted %s %q (id %s).", o.request.Kind.Words(), found.Name, found.ID))
}
