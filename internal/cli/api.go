package cli

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/view"
)

type apiOptions struct {
	factory  *factory
	connect  connectFlags
	request  engine.CallRequest
	bodyFile string
	include  bool
	output   string
	choice   getChoice
}

const aboutAPI = `Call any address of Konnect's API with the token of the profile.

PATH is below the configured Konnect: /v3/portals, with or without a query. URLs of
other hosts are refused. What belongs to the whole organization (teams, users, …)
is asked at the host that all regions share.

NAME=VALUE adds a text and NAME:=JSON any value: to the query of get and delete, to
the body of the others. --body-file sends a JSON file instead.`

func newAPICmd(f *factory, runF func(context.Context, *apiOptions) error) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "api METHOD PATH",
		Short: "Call any address of Konnect's API",
		Long:  aboutAPI,
		Example: `  kongctl api get /v3/portals page[size]=5 --jq '.data[].name' -r
  kongctl api post /v3/portals name=dev labels:='{"team": "web"}'
  kongctl api patch /v3/portals/ID --body-file patch.json
  kongctl api delete /v3/portals/ID force=true`,
		Args: noSubcommand,
		RunE: showHelp,
	}
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
		cmd.AddCommand(apiMethodCmd(f, method, runF))
	}
	return cmd
}

func apiMethodCmd(f *factory, method string, runF func(context.Context, *apiOptions) error) *cobra.Command {
	o := &apiOptions{factory: f, request: engine.CallRequest{Method: method}}
	verb := strings.ToLower(method)
	sends := method != http.MethodGet && method != http.MethodDelete
	cmd := &cobra.Command{
		Use:   verb + " PATH [NAME=VALUE | NAME:=JSON]…",
		Short: "Send a " + method + " request to Konnect",
		Long:  "Send a " + method + " request to Konnect.\n" + strings.SplitN(aboutAPI, "\n", 2)[1],
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("%s: no path is named", cmd.CommandPath()).WithHint("for example: %s /v3/portals", cmd.CommandPath())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.connect.check(cmd); err != nil {
				return err
			}
			if err := checkOutput(o.output, formText, formJSON, formYAML); err != nil {
				return err
			}
			if err := o.choice.read(o.output); err != nil {
				return err
			}
			o.request.Address = args[0]
			if err := o.read(args[1:], sends, cmd.Flags().Changed("body-file")); err != nil {
				return err
			}
			if runF == nil {
				runF = apiRun
			}
			return paged(f, func() error { return runF(cmd.Context(), o) })
		},
	}
	switch method {
	case http.MethodGet:
		cmd.Example = "  kongctl api get /v3/portals\n  kongctl api get /v3/apis page[size]=5 --jq '.data[].name' -r\n  kongctl api get /v3/organizations/me -o yaml"
	case http.MethodDelete:
		cmd.Example = "  kongctl api delete /v3/portals/ID\n  kongctl api delete /v3/portals/ID force=true\n  kongctl api delete /v3/apis/ID --include"
	default:
		cmd.Example = "  kongctl api " + verb + " /v3/portals/ID description=ours\n  kongctl api " + verb + " /v3/portals/ID labels:='{\"team\": \"web\"}'\n  kongctl api " + verb + " /v3/portals/ID --body-file body.json"
	}
	cmd.ValidArgsFunction = completePath(f, method)
	flags := cmd.Flags()
	if sends {
		flags.StringVarP(&o.bodyFile, "body-file", "f", "", "JSON file to send, or - for standard input")
	}
	flags.BoolVarP(&o.include, "include", "i", false, "show the status and the headers of the answer on standard error")
	addOutput(cmd, &o.output, "json or yaml (default json)")
	o.choice.addJq(cmd)
	addPager(cmd)
	o.connect.add(cmd)
	return cmd
}

// completePath completes the path of a request, by one segment, from the operations
// of Konnect. Ids are not known.
func completePath(f *factory, method string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		cat, err := f.catalog()
		if err != nil || len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return harmless(cat.Contract.Next(method, typed)), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
}

func apiRun(ctx context.Context, o *apiOptions) error {
	d := newDisplay(o.factory)
	defer d.close()
	e, err := o.factory.openEngine(engineOptions{local: o.connect.local, sink: d.sink})
	if err != nil {
		return err
	}
	a, err := engine.Call(ctx, e, o.request)
	d.close()
	if err != nil && a != nil && o.include {
		return errors.Join(o.showHead(a), err)
	}
	if err != nil {
		return err
	}
	return o.show(ctx, a)
}

// showHead shows the status and, where they are asked for, the headers of an answer.
func (o *apiOptions) showHead(a *engine.CallAnswer) error {
	s := o.factory.world.streams
	if err := say(s.err, "%s", a); err != nil || !o.include {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(a.Header)) {
		for _, text := range a.Header[name] {
			if err := say(s.err, "%s: %s", name, text); err != nil {
				return err
			}
		}
	}
	return nil
}

// show writes the answer.
func (o *apiOptions) show(ctx context.Context, a *engine.CallAnswer) error {
	s := o.factory.world.streams
	if o.include || a.Body == nil {
		if err := o.showHead(a); err != nil {
			return err
		}
	}
	switch {
	case o.choice.jq != nil:
		results, err := o.choice.jq.Results(ctx, a.Body)
		if err != nil {
			return jqFailure(err)
		}
		return toOutput(view.WriteResults(s.out, results, o.choice.raw))
	case o.output == formYAML:
		return toOutput(view.WriteYAML(s.out, a.Body))
	case a.Body == nil && o.output != formJSON:
		return nil
	default:
		return toOutput(view.WriteJSON(s.out, a.Body))
	}
}
