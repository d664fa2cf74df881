package cli

import (
	"context"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/disk"
	"github.com/kongctl/kongctl/internal/engine"
)

const formToken = "token"

type createTokenOptions struct {
	factory    *factory
	connect    connectFlags
	request    engine.TokenRequest
	expires    string
	output     string
	outputFile string
	overwrite  bool
	choice     getChoice
}

const aboutCreate = `Create an access token of Konnect.

Konnect shows a token once: it is printed, or written with --output-file to a file
that only you can read. A file that is there is replaced with --overwrite alone.
kongctl keeps the token nowhere else.`

func newCreateCmd(f *factory, runF func(context.Context, *createTokenOptions) error) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "create",
		Short: "Create an access token",
		Long:  aboutCreate,
		Example: `  kongctl create pat --name laptop --expires-in 30d
  kongctl create spat --system-account-name builds --name ci --expires-in 24h -o token
  kongctl create spat --system-account-id ID --name ci --expires-in 90d --output-file token.txt`,
		Args: noSubcommand,
		RunE: showHelp,
	}
	addTokenCmds(cmd, func(kind engine.TokenKind) *cobra.Command { return createTokenCmd(f, kind, runF) })
	return cmd
}

func createTokenCmd(f *factory, kind engine.TokenKind, runF func(context.Context, *createTokenOptions) error) *cobra.Command {
	o := &createTokenOptions{factory: f, request: engine.TokenRequest{Kind: kind}}
	account := ""
	if word := kind.AccountWord(); word != "" {
		account = " --" + word + "-name builds"
	}
	line := "  kongctl create " + kind.Word() + account + " --name ci --expires-in "
	cmd := &cobra.Command{
		Use:     kind.Word() + " --name NAME --expires-in TIME",
		Aliases: []string{kind.Word() + "s"},
		Short:   "Create a " + kind.Words(),
		Long:    "Create a " + kind.Words() + ".\n" + strings.SplitN(aboutCreate, "\n", 2)[1],
		Example: line + "30d\n" + line + "24h -o token\n" + line + "90d --output-file token.txt",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.connect.check(cmd); err != nil {
				return err
			}
			if err := o.check(); err != nil {
				return err
			}
			if runF == nil {
				runF = createTokenRun
			}
			return runF(cmd.Context(), o)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.request.Name, "name", "", "name of the token")
	flags.StringVar(&o.expires, "expires-in", "", "how long the token is good for, such as 24h or 30d")
	addAccount(cmd, &o.request)
	offer(cmd, &o.output, "; token prints the token alone", []string{formText, formJSON, formYAML, formToken})
	flags.StringVar(&o.outputFile, "output-file", "", "write the token to this file (mode 0600) and do not print it")
	addOverwrite(cmd, &o.overwrite)
	o.choice.addJq(cmd)
	o.connect.add(cmd)
	return cmd
}

// check reads the flags, and finds out before anything is created whether the token
// can be written.
func (o *createTokenOptions) check() (err error) {
	if err := checkOutput(o.output, formText, formJSON, formYAML, formToken); err != nil {
		return err
	}
	if err := o.choice.read(o.output); err != nil {
		return err
	}
	if err := checkAccount(o.request); err != nil {
		return err
	}
	switch {
	case o.request.Name == "":
		return usagef("--name is missing").WithHint("name the token, such as --name ci.")
	case o.expires == "":
		return usagef("--expires-in is missing").WithHint("say how long the token is good for, such as --expires-in 30d.")
	case o.outputFile == "-" && (o.output == "" || o.output == formToken):
		o.outputFile, o.output = "", formToken
	case o.outputFile != "" && (o.output == formToken || o.choice.jq != nil):
		return usagef("--output-file excludes --output token and --jq").WithHint("the file holds the token alone.")
	}
	if o.request.Lifetime, err = lifetime(o.expires); err != nil {
		return err
	}
	if o.outputFile == "" {
		return nil
	}
	path, err := o.factory.absolute(o.outputFile)
	if err != nil {
		return err
	}
	if err := o.free(path); err != nil {
		return err
	}
	return disk.Savable(path)
}

// free refuses a file with content, which may be another token, and a link to a
// file, unless they may be replaced. Devices and pipes are written to.
func (o *createTokenOptions) free(path string) error {
	there, _ := os.Lstat(path)
	if there == nil || o.overwrite {
		return nil // what else is wrong with it is found when it is written
	}
	is := "exists"
	if there.Mode()&os.ModeSymlink != 0 {
		if to, err := os.Stat(path); err == nil && !to.Mode().IsRegular() {
			return nil
		}
		is = "is a symbolic link"
	} else if !there.Mode().IsRegular() || there.Size() == 0 {
		return nil
	}
	return usagef("%s %s", o.outputFile, is).WithHint("pass --overwrite to replace it, or name another file.")
}

// lifetime reads a time: days, or what Go calls a duration.
func lifetime(text string) (time.Duration, error) {
	const day, most = 24 * time.Hour, 100_000 // days that fit
	d, err := time.ParseDuration(text)
	if number, inDays := strings.CutSuffix(text, "d"); inDays {
		var n int
		if n, err = strconv.Atoi(number); n > most {
			n = 0
		}
		d = time.Duration(n) * day
	}
	if err != nil || d < time.Second {
		return 0, usagef("invalid value %q for --expires-in: use a time such as 24h or 30d", text)
	}
	return d, nil
}

func createTokenRun(ctx context.Context, o *createTokenOptions) error {
	d := newDisplay(o.factory)
	defer d.close()
	e, err := o.factory.openEngine(engineOptions{local: o.connect.local, sink: d.sink})
	if err != nil {
		return err
	}
	made, err := engine.CreateToken(ctx, e, o.request)
	d.close()
	if err != nil {
		return err
	}
	if err := o.show(ctx, made); err != nil {
		return o.lost(made, err)
	}
	return nil
}
