package cli

import "github.com/spf13/cobra"

// connectFlags say which Konnect.
type connectFlags struct {
	local bool
	// regions takes several, where a verb works on more than one.
	regions *regionList
}

func (c *connectFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	// Their values are settings: the factory finds them.
	flags.String("pat", "", "Konnect token (also: KONGCTL_KONNECT_PAT)")
	if c.regions != nil {
		flags.Var(c.regions, "region", "Konnect region: us, eu, au, me, in, sg, or all; may be repeated (default us)")
	} else {
		flags.String("region", "", "Konnect region: us, eu, au, me, in or sg (default us)")
	}
	flags.String("base-url", "", "URL of Konnect, instead of a region")
	flags.String("base-auth-url", "", "URL for teams, users, the organization and logins (default https://global.api.konghq.com, or the base URL)")
	flags.BoolVar(&c.local, "local", false, "use the embedded Konnect; needs no token")
	flags.String("data", "", "data folder of the embedded Konnect (default $XDG_DATA_HOME/kongctl)")
	flags.Int("max-concurrency", 16, "maximum number of concurrent requests")
	addRetry(cmd)
	titled(flags, groupConnection, "pat", "region", "base-url", "local", "data")
}

// check refuses what does not go together.
func (c *connectFlags) check(cmd *cobra.Command) error {
	flags := cmd.Flags()
	if n, err := flags.GetInt("max-concurrency"); err == nil && n < 1 {
		return usagef("--max-concurrency %d: must be at least 1", n)
	}
	switch {
	case c.local && flags.Changed("base-url"):
		return usagef("--local and --base-url exclude each other").WithHint("--local finds the embedded Konnect by its data folder (--data).")
	case c.local && flags.Changed("region"):
		return usagef("--local and --region exclude each other")
	case c.local && flags.Changed("base-auth-url"):
		return usagef("--local and --base-auth-url exclude each other")
	case !c.local && flags.Changed("data"):
		return usagef("--data is the data folder of the embedded Konnect").WithHint("add --local.")
	default:
		return nil
	}
}
