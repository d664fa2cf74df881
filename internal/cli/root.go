package cli

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

const about = `Declarative configuration for Kong Konnect and Kubernetes.

You write YAML; kongctl compares it with what exists, shows a plan, and carries
it out. --local runs any command on the embedded Konnect, without an account;
kongctl live is for Kubernetes objects alone.`

const examples = `  kongctl scaffold portal > portal.yaml
  kongctl plan -f portal.yaml --local
  kongctl sync -f config/ -R`

func newRootCmd(f *factory) *cobra.Command {
	root := &cobra.Command{
		Use:               "kongctl",
		Short:             "Declarative configuration for Kong Konnect and Kubernetes",
		Long:              about,
		Example:           examples,
		Version:           version,
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
		Args:              noSubcommand,
		RunE:              showHelp,
	}
	f.root = root
	root.SetVersionTemplate(versionText(buildInfo()) + "\n")
	root.SetFlagErrorFunc(flagError)
	root.SetUsageFunc(func(cmd *cobra.Command) error { return usage(cmd, f.outStyle().Width) })
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		_ = help(cmd, f.outStyle().Width) // there is nobody left to tell
	})
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) (err error) {
		f.flags, f.command, f.data = cmd.Flags(), cmd.CommandPath(), isData(cmd)
		f.anyProfile = cmd.Annotations[anyProfileNote] != ""
		if f.diff, err = readDiff(cmd); err != nil {
			return err
		}
		return checkGiven(f)
	}
	flags := root.PersistentFlags()
	flags.SortFlags = false
	flags.StringVarP(&f.profileName, "profile", "p", "", "profile of the config file")
	flags.StringVar(&f.configFile, "config-file", "", "config file (default $XDG_CONFIG_HOME/kongctl/config.yaml)")
	flags.String("log-level", "warn", "trace, debug, info, warn or error")
	flags.String("log-format", "text", "text or json")
	flags.String("log-file", "", "write the log to a file instead of standard error")
	flags.String("annotations", annotateAuto, "show problems at the lines of a pull request: github, none, or auto: in GitHub Actions")
	flags.String("exit-codes", exitsDetailed, "detailed, or simple: every failure is 1")
	flags.BoolVar(&f.noColor, "no-color", false, "disable colour (also: NO_COLOR; FORCE_COLOR and CLICOLOR_FORCE enable it everywhere)")

	root.AddCommand(
		newPlanCmd(f, nil),
		newDiffCmd(f, nil),
		newApplyCmd(f, nil),
		newSyncCmd(f, nil),
		newDeleteCmd(f, nil),
		newDriftCmd(f, nil),
		newAdoptCmd(f, nil),
		writesData(newExportCmd(f, nil)),
		writesData(newDumpCmd(f, nil)),
		newResumeCmd(f, nil),
		newCreateCmd(f, nil),
		newGetCmd(f, nil),
		newListCmd(f, nil),
		newBrowseCmd(f, nil),
		newValidateCmd(f, nil),
		writesData(newGraphCmd(f, nil)),
		newPatchCmd(f),
		newLintCmd(f, nil),
		newExplainCmd(f, nil),
		writesData(newScaffoldCmd(f, nil)),
		newSchemaCmd(f, nil),
		newLiveCmd(f),
		writesData(newFnCmd(f)),
		writesData(newAPICmd(f, nil)),
		newLoginCmd(f, nil),
		newLogoutCmd(f, nil),
		newProfileCmd(f),
		newLocalCmd(f),
		newVersionCmd(f, nil),
		writesData(newCompletionCmd()),
		newManualCmd(),
	)
	help := newHelpCmd(root)
	root.SetHelpCommand(help)
	ignoreLocal(help)
	ignoreLocal(root)
	root.SetGlobalNormalizationFunc(liveFlagName)
	takeOtherFlags(root)
	usageArguments(root)
	return root
}

// showHelp is what a command does that only holds others.
func showHelp(cmd *cobra.Command, _ []string) error { return cmd.Help() }

// commandNames are the commands below one that people see.
func commandNames(cmd *cobra.Command) []string {
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return names
}

// otherWords are those that other programs use for a command of this one.
var otherWords = map[string]string{
	"check": "validate", "config": "profile", "describe": "get", "destroy": "delete", "generate": "scaffold", "import": "adopt",
	"init": "scaffold", "new": "scaffold", "open": "browse", "refresh": "drift", "remove": "delete", "rollback": "plan --inverse", "show": "get", "status": "drift",
}

// noSubcommand refuses what is not the name of a command below this one.
func noSubcommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	names := commandNames(cmd)
	e := usagef("%s has no command %q", cmd.CommandPath(), args[0])
	if meant := otherWords[args[0]]; meant != "" && !cmd.HasParent() {
		return e.WithHint("did you mean %s %s?", cmd.CommandPath(), meant)
	}
	if near := nearest(args[0], names); near != "" {
		return e.WithHint("did you mean %s %s?", cmd.CommandPath(), near)
	}
	if len(names) == 0 {
		return e.WithHint("see %s --help", cmd.CommandPath())
	}
	return e.WithHint("its commands: %s", strings.Join(names, ", "))
}

// flagError makes a usage error of what the parser of flags says.
func flagError(cmd *cobra.Command, err error) error {
	if wrong := cmd.ValidateArgs(cmd.Flags().Args()); cmd.HasAvailableSubCommands() && wrong != nil {
		return wrong // the flag belongs to a command that does not exist
	}
	var wrong *pflag.InvalidValueError
	if errors.As(err, &wrong) && wantedValue(wrong.GetFlag()) != "" {
		return usagef("invalid value %q for --%s: want %s", wrong.GetValue(), wrong.GetFlag().Name, wantedValue(wrong.GetFlag())).WithHint("see %s --help", cmd.CommandPath())
	}
	var missing *pflag.NotExistError
	if !errors.As(err, &missing) {
		return usagef("%s", strings.TrimSuffix(err.Error(), "\n")).WithHint("see %s --help", cmd.CommandPath())
	}
	name := missing.GetSpecifiedName()
	if missing.GetSpecifiedShortnames() != "" {
		return usagef("%s has no flag -%s", cmd.CommandPath(), name).WithHint("see %s --help", cmd.CommandPath())
	}
	var known []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			known = append(known, f.Name)
		}
	})
	e := usagef("%s has no flag --%s", cmd.CommandPath(), name)
	if near := nearestFlag(name, known); near != "" {
		return e.WithHint("did you mean --%s?", near)
	}
	return e.WithHint("see %s --help", cmd.CommandPath())
}

// wantedValue says what a flag takes, "" where the flag says it itself.
func wantedValue(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "int":
		return "a whole number"
	case "bool":
		return "true or false"
	case "duration":
		return "a duration such as 30s"
	default:
		return ""
	}
}
