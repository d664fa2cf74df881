package cli

import (
	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/konnect/emulator"
	"github.com/kongctl/kongctl/internal/konnect/emulator/local"
)

// addFaults adds the flags that let the embedded Konnect misbehave.
func addFaults(cmd *cobra.Command, f *emulator.Faults) {
	flags := cmd.Flags()
	flags.StringVar(&f.Latency, "latency", "", "delay every response: 30ms or 30ms±10ms")
	flags.StringVar(&f.Fault, "fault", "", "inject faults, each with a probability: 429:0.05,503-after:0.01,cut-before:0.01,cut-after:0.01,slow:0.01,cut-page:0.01,null-data:0.01,repeat-page:0.01; no-unique accepts names that are taken")
	flags.StringVar(&f.Rate, "rate", "", "rate limit, such as 50/s or 2000/m; further requests get 429 with Retry-After")
	flags.StringVar(&f.Lag, "lag", "", "serve reads from the state as it was this long ago, such as 200ms")
	flags.Uint64Var(&f.Seed, "fault-seed", 0, "make the same faults again: the seed of chance, from 1 (default: a new one each time)")
	flags.StringArrayVar(&f.On, "fault-on", nil, "inject faults only into this operation, such as 'POST /v3/apis'; may be repeated")
}

// faultValues completes the names of faults.
func faultValues(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	return begun(typed, emulator.FaultWords())
}

// checkFaults refuses what cannot be understood, before a process is started.
func (f *factory) checkFaults(faults emulator.Faults) error {
	if len(local.FaultArgs(faults)) == 0 {
		return nil
	}
	cat, err := f.catalog()
	if err != nil {
		return err
	}
	if err := faults.Check(cat.Contract); err != nil {
		return usagef("--%v", err)
	}
	return nil
}
