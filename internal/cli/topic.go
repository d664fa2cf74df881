package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// topic is a page of help that is not about one command.
type topic struct {
	name, about string
	text        func() string
}

// topics are in the order of `kongctl help topics`.
func topics() []topic {
	return []topic{
		{"environment", "settings, and the variables that set them", environmentTopic},
		{"exit-codes", "what the exit status of a command means", func() string { return exitTopic }},
		{"language", "how configurations are written", func() string { return languageTopic }},
		{"plans", "how plans are made, saved, checked and carried out", func() string { return planTopic }},
	}
}

// addTopics adds the pages below `kongctl help`.
func addTopics(help *cobra.Command) {
	list := "Topics of help that are not about one command.\n"
	for _, t := range topics() {
		help.AddCommand(&cobra.Command{Use: t.name, Short: "Explain " + t.about, Run: func(cmd *cobra.Command, _ []string) { _ = cmd.Help() }, Long: t.text()})
		list += fmt.Sprintf("\n  kongctl help %-12s %s", t.name, t.about)
	}
	help.AddCommand(&cobra.Command{Use: "topics", Short: "List topics of help", Run: func(cmd *cobra.Command, _ []string) { _ = cmd.Help() }, Long: list})
}

// topicNamed is a page of help; nil where no page has this name.
func topicNamed(help *cobra.Command, words []string) *cobra.Command {
	if len(words) != 1 {
		return nil
	}
	for _, c := range help.Commands() {
		if c.Name() == words[0] {
			return c
		}
	}
	return nil
}

func environmentTopic() string {
	var b strings.Builder
	b.WriteString(`Settings, and the variables that set them.

A flag beats a variable, a variable beats the profile, the profile beats the
default. With the profile "production", konnect.region is read from
KONGCTL_PRODUCTION_KONNECT_REGION, else from KONGCTL_KONNECT_REGION. An empty
variable counts as unset. kongctl profile show lists what is in effect.

`)
	for _, name := range knownSettings() {
		fmt.Fprintf(&b, "  %-32s KONGCTL_%s\n", name, strings.ToUpper(strings.NewReplacer(".", "_", "-", "_").Replace(name)))
	}
	b.WriteString(`
Other variables:

  KONGCTL_PROFILE                  the profile, as --profile
  XDG_CONFIG_HOME                  where kongctl/config.yaml is (~/.config)
  XDG_DATA_HOME, XDG_STATE_HOME    where the embedded Konnect and runs are kept
  XDG_CACHE_HOME                   where names for completion are kept
  NO_COLOR                         no colour, as --no-color
  FORCE_COLOR, CLICOLOR_FORCE      colour everywhere
  PAGER                            shows output that does not fit the terminal
  KUBECONFIG                       the kubeconfig files
  GITHUB_ACTIONS, CI               progress as plain lines, problems as annotations`)
	return b.String()
}

const exitTopic = `What the exit status of a command means.

    0  done, or nothing to do
    1  failed: nothing or everything that was tried failed, Konnect cannot be
       reached, or a name was not found
    2  there are changes (plan and diff with --detailed-exitcode), or there is
       drift (drift)
    3  authentication or permission
    4  the configuration is invalid; diagnostics say where
    5  partial: some changes failed or were skipped, or the plan is partial
    6  Konnect or the plan is not what it was: drift, a damaged or old plan,
       another organization, changed files
    7  refused by a guard: protected resources, --max-deletes, a replace,
       --policy
   64  usage: an unknown flag or command, flags that exclude each other, or a
       prompt that cannot be answered
  130  interrupted
  141  the reader of standard output left before all was printed, as head does;
       never the status of a run that changes something

Where several apply: 130, then 7, 6, 5, 1. --exit-codes simple makes every
failure 1; that there are changes (2) and 141 are not failures.`

const languageTopic = `How configurations are written.

A configuration is YAML: keys for types of resources at the root, each with a
list. kongctl explain lists all types, kongctl explain portal.pages describes
one, and kongctl scaffold portal prints one to fill in.

  _defaults:
    kongctl: {namespace: team-a}
  portals:
  - ref: dev                 # how other resources refer to it
    name: Developers
    pages:                   # children stand below their parent,
    - {ref: home, slug: /, content: !file home.md}
  api_publications:          # or at the root, with a reference to it
  - {ref: pub, api: !ref flights, portal_id: !ref dev}

Tags:

  !ref REF[#field]           another resource, or one of its fields (default id)
  !lookup {…}                a resource that exists in Konnect, by its fields
  !file PATH[#field]         a file inside of the base folder, or a field of it
  !env NAME                  a variable of the environment; a plan has the name
  !secret {…}                a secret; it is in no plan, log or error

The block kongctl: {namespace: NAME, protected: true} says who manages a resource,
and whether it may be deleted. On a child, protected counts only while the child
is declared. _external: {…} refers to a resource that another tool owns.
kongctl explain control_plane says how one gets its gateway configuration.

kongctl explain tags has all forms; kongctl validate checks a configuration
without Konnect; kongctl schema is for editors.`

const planTopic = `How plans are made, saved, checked and carried out.

  kongctl plan -f config --output-file plan.json     # make a plan and save it
  kongctl diff --plan plan.json                      # look at it
  kongctl sync --plan plan.json --auto-approve       # carry it out

A plan says what would change, and what it expects of Konnect. Nothing is changed
before all of it was checked: the file is whole (and signed, with --verify-key), it
belongs to this organization and this verb, it is not older than --max-age, files
that it reads have not changed, no guard refuses it (--max-deletes, protected
resources, --policy), and every resource still is as the plan expects. What has
changed since stops the run (--on-drift skip leaves it out).

Plans hold no secrets: they name variables and files instead, and list all that they
read. apply never deletes; sync deletes managed resources in the namespaces of the
configuration that are not declared (--prune limits it).

  kongctl plan --inverse plan.json                   # the plan that undoes one
  kongctl plan --merge a.json b.json                 # one of two
  kongctl diff --plan a.json --against b.json        # what differs
  kongctl resume                                     # continue a run that ended
                                                     # before it was done`

// isTopic reports whether a command is a page of help.
func isTopic(cmd *cobra.Command) bool { return cmd.HasParent() && cmd.Parent().Name() == "help" }
