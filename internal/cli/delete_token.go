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
	name        string
	output      string
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
		Use:     kind.Word() + " [NAME|ID]",
		Aliases: []string{kind.Word() + "s"},
		Short:   "Delete a " + kind.Words(),
		Long:    "Delete a " + kind.Words() + ", by name or id: an argument, or --name.\nWhoever uses it is refused from then on.",
		Example: line + "\n" + line + " --auto-approve\n" + line + " --region eu",
		Args: func(cmd *cobra.Command, args []string) error {
			return o.readName(cmd, args)
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkForm(cmd, o.output); err != nil {
				return err
			}
			if err := o.connect.check(cmd); err != nil {
				return err
			}
			if err := checkAccount(o.request); err != nil {
				return err
			}
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
	cmd.Flags().StringVar(&o.name, "name", "", "name or id of the token")
	addApproval(cmd, &o.autoApprove)
	addAccount(cmd, &o.request)
	offer(cmd, &o.output, "", []string{formText, formJSON, formYAML})
	o.connect.add(cmd)
	return cmd
}

// readName reads which token is meant: by an argument, or by --name.
func (o *deleteTokenOptions) readName(cmd *cobra.Command, args []string) error {
	named := cmd.Flags().Changed("name")
	if named && len(args) > 0 {
		return usagef("%s: --name and an argument exclude each other", cmd.CommandPath())
	}
	if named {
		args = []string{o.name}
	}
	if len(args) != 1 || args[0] == "" {
		return usagef("%s: takes one name or id, got %d", cmd.CommandPath(), len(args)).WithHint("kongctl get %s lists the tokens.", o.request.Kind.Word())
	}
	o.request.Name = args[0]
	return nil
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
	return o.show(found)
}

// show writes which token was deleted.
func (o *deleteTokenOptions) show(found *engine.FoundToken) error {
	s := o.factory.world.streams
	if isDocument(o.output) {
		return writeData(s.out, o.output, found)
	}
	return toOutput(say(s.out, "Deleted %s %q (id %s).", o.request.Kind.Words(), found.Name, found.ID))
}
