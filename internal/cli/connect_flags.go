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
	flags.String("pat", "", "Konnect token (also: KONGCTL_KONNECT_PAT)")
	c.addAddress(cmd)
	flags.BoolVar(&c.local, "local", false, "use the embedded Konnect; needs no token, and takes one from --pat alone")
	flags.String("data", "", "data folder of the embedded Konnect (default $XDG_DATA_HOME/kongctl)")
	flags.Bool("no-cache", false, "use no answers of earlier runs; only completions keep any, for 30 seconds")
	flags.Int("max-concurrency", 16, "maximum number of concurrent requests")
	addRetry(cmd)
	titled(flags, groupConnection, "pat", "local", "data")
}

// addAddress adds the flags that say at which address Konnect is. Their values are
// settings: the factory finds them.
func (c *connectFlags) addAddress(cmd *cobra.Command) {
	flags := cmd.Flags()
	if c.regions != nil {
		flags.Var(c.regions, "region", "Konnect region: us, eu, au, me, in, sg, or all; may be repeated (default us)")
	} else {
		flags.String("region", "", "Konnect region: us, eu, au, me, in or sg (default us)")
	}
	flags.String("base-url", "", "URL of Konnect, instead of a region")
	flags.String("base-auth-url", "", "URL for teams, users, the organization and logins (default https://global.api.konghq.com, or the base URL)")
	titled(flags, groupConnection, "region", "base-url")
}

// addLogin adds the flags of commands about logins, which the embedded Konnect does not
// need: --local is there to be refused with a reason.
func (c *connectFlags) addLogin(cmd *cobra.Command) {
	c.addAddress(cmd)
	cmd.Flags().BoolVar(&c.local, "local", false, "")
	_ = cmd.Flags().MarkHidden("local") // the flag is there
}

// checkLogin refuses what a login has nothing to do with.
func (c *connectFlags) checkLogin() error {
	if c.local {
		return usagef("--local needs no login").WithHint("to try a login, run `kongctl local start` and pass its address with --base-url.")
	}
	return nil
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
