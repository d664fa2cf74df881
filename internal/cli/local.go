package cli

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/konnect/emulator/local"
	"github.com/kongctl/kongctl/internal/terminal"
)

func newLocalCmd(f *factory) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "local",
		Short: "Run the embedded Konnect as a server",
		Long: `Run the embedded Konnect as a server.

Every command with --local works on the embedded Konnect, whether a server runs
or not. A server lets other programs use it too.`,
		Example: `  kongctl local start --seed portal.yaml
  kongctl local status
  kongctl local export --output-file state.yaml
  kongctl local stop`,
		Args: noSubcommand,
		RunE: showHelp,
	}
	cmd.PersistentFlags().String("data", "", "data folder (default $XDG_DATA_HOME/kongctl)")
	cmd.AddCommand(newLocalStartCmd(f, nil), newLocalStopCmd(f, nil), newLocalStatusCmd(f, nil), newLocalResetCmd(f, nil), writesData(newLocalExportCmd(f, nil)))
	return cmd
}

// dataDir is the data folder of the embedded Konnect, absolute.
func (f *factory) dataDir() (string, error) {
	s, err := f.settings()
	if err != nil {
		return "", err
	}
	dir := s.String(settingData)
	if dir == "" {
		base, err := f.world.folder("XDG_DATA_HOME", ".local", "share")
		if err != nil {
			return "", usagef("data folder: %v", err).WithHint("name one with --data or KONGCTL_LOCAL_DATA.")
		}
		return filepath.Join(base, "kongctl"), nil
	}
	return f.absolute(dir)
}

// local runs the embedded Konnect on this machine.
func (f *factory) local() local.Host {
	w := f.world
	return local.Host{
		Now: w.now, After: w.after, Catalog: f.catalog, Log: f.logger, Version: version,
		Spawn: w.spawn, Terminate: w.terminate, Gone: w.gone,
	}
}

// dataFlag is the flag that other commands need to come to the same data folder.
func dataFlag(f *factory, dir string) string {
	if f.flags == nil || !f.flags.Changed("data") {
		return ""
	}
	return " --data " + terminal.ShellWord(dir)
}
