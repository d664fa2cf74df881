package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/disk"
	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/view"
)

// show writes a new token: to its file, or to standard output. What is said about it
// goes to standard error.
func (o *createTokenOptions) show(ctx context.Context, made *engine.CreatedToken) error {
	s := o.factory.world.streams
	if o.outputFile != "" {
		if err := o.save(made); err != nil {
			return err
		}
	}
	switch {
	case o.choice.jq != nil:
		data := map[string]any{"id": made.ID, "name": made.Name, "token": made.Token, "expires_at": made.ExpiresAt}
		if made.Account != "" {
			data["system_account_id"] = made.Account
		}
		results, err := o.choice.jq.Results(ctx, data)
		if err != nil {
			return jqFailure(err)
		}
		return toOutput(view.WriteResults(s.out, results, o.choice.raw))
	case isDocument(o.output):
		return writeData(s.out, o.output, made)
	case o.output == formToken:
		return toOutput(say(s.out, "%s", made.Token))
	}
	until := ""
	if made.ExpiresAt != "" {
		until = " It expires at " + made.ExpiresAt + "."
	}
	if err := say(s.err, "Created %s %q (id %s).%s", o.request.Kind.Words(), made.Name, made.ID, until); err != nil {
		return err
	}
	if o.outputFile != "" {
		return say(s.err, "The token is in %s; only you can read it.", o.outputFile)
	}
	if err := say(s.err, "The token is shown only once. Store it in a safe place:"); err != nil {
		return err
	}
	return toOutput(say(s.out, "%s", made.Token))
}

// save writes the token to the file.
func (o *createTokenOptions) save(made *engine.CreatedToken) error {
	path, err := o.factory.absolute(o.outputFile)
	if err == nil {
		err = disk.Save(path, []byte(made.Token+"\n"))
	}
	if err != nil {
		return err
	}
	made.Token = ""
	return nil
}

// lost is the error of a token that could not be shown or written: it is of no use to
// anybody, so the error says what to delete.
func (o *createTokenOptions) lost(made *engine.CreatedToken, err error) error {
	if made.Token == "" {
		return err // the file has it
	}
	return fmt.Errorf("%s %q was created, but the token is lost: %s; delete it by its id, %s", o.request.Kind.Words(), made.Name, err.Error(), made.ID)
}

// addTokenCmds adds a command for each kind of access tokens.
func addTokenCmds(to *cobra.Command, newCmd func(engine.TokenKind) *cobra.Command) {
	for _, kind := range engine.TokenKinds() {
		to.AddCommand(newCmd(kind))
	}
}

// addAccount adds the flags that say whose tokens are meant.
func addAccount(cmd *cobra.Command, r *engine.TokenRequest) {
	word := r.Kind.AccountWord()
	if word == "" {
		return
	}
	cmd.Flags().StringVar(&r.Account, word+"-name", "", "name of the system account")
	cmd.Flags().StringVar(&r.AccountID, word+"-id", "", "id of the system account")
}

// checkAccount refuses a request that does not say which system account is meant.
func checkAccount(r engine.TokenRequest) error {
	word := r.Kind.AccountWord()
	switch {
	case word == "":
		return nil
	case r.Account != "" && r.AccountID != "":
		return usagef("--%s-name and --%s-id exclude each other", word, word)
	case r.Account == "" && r.AccountID == "":
		return usagef("a %s belongs to a system account: which one?", r.Kind.Words()).WithHint("add --%s-name NAME or --%s-id ID.", word, word)
	default:
		return nil
	}
}
