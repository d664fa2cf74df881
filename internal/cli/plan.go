package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/view"
)

type planOptions struct {
	factory          *factory
	sources          sourceFlags
	scope            scopeFlags
	connect          connectFlags
	objects          objectFlags
	mode             plan.Mode
	output           string
	outputFile       string
	signKey          string
	from             fromPlanFlags
	detailedExitCode bool
}

func newPlanCmd(f *factory, runF func(context.Context, *planOptions) error) *cobra.Command {
	o := &planOptions{factory: f}
	var mode modeFlags
	cmd := &cobra.Command{
		Use:   "plan [konnect|gateway]",
		Short: "Compare the configuration with Konnect and show what would change",
		Long: `Compare the configuration with Konnect and show what would change.

Nothing is changed. The plan is printed as text on a terminal and as JSON
otherwise; --output-file saves it for apply --plan, sync --plan and diff --plan.
It includes the changes that ` + engine.GatewayTool + ` makes on gateways; with the target gateway,
only those. Kubernetes objects next to Konnect resources are included, too; they
need one ResourceGroup (kongctl live init writes one).`,
		Example: `  kongctl plan -f portal.yaml
  kongctl plan --dir config --output-file plan.json
  kongctl plan -f portal.yaml --apply-only -o json
  kongctl plan --inverse plan.json --output-file undo.json
  kongctl plan --merge a.json b.json --output-file both.json`,
		Args: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("merge") {
				return o.from.args(cmd, args)
			}
			return f.arguments(&o.sources, &o.scope.gateway)(cmd, args)
		},
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if o.mode, err = mode.plan(cmd); err != nil {
				return err
			}
			if err := checkForm(cmd, o.output); err != nil {
				return err
			}
			if err := o.connect.check(cmd); err != nil {
				return err
			}
			if err := o.scope.check(); err != nil {
				return err
			}
			if err := o.scope.checkMode(o.mode, "add --mode delete."); err != nil {
				return err
			}
			if err := o.from.check(cmd); err != nil {
				return err
			}
			if err := o.objects.check(cmd); err != nil {
				return err
			}
			if runF != nil {
				return runF(cmd.Context(), o)
			}
			return planRun(cmd.Context(), o)
		},
	}
	o.sources.add(cmd)
	mode.add(cmd)
	o.scope.add(cmd)
	cmd.Flags().StringVar(&o.outputFile, "output-file", "", "save the plan to a file; - is standard output")
	cmd.Flags().StringVar(&o.signKey, "sign", "", "sign the plan with this key (ed25519 private key, PEM); --verify-key checks it")
	o.from.add(cmd)
	addPolicy(cmd)
	addDiff(cmd)
	offer(cmd, &o.output, " (default: text on a terminal, json elsewhere)", planForms)
	cmd.Flags().BoolVar(&o.detailedExitCode, "detailed-exitcode", false, "exit with 2 when there are changes")
	addGateway(cmd)
	o.connect.add(cmd)
	o.objects.addTo(cmd)
	return cmd
}

func planRun(ctx context.Context, o *planOptions) error {
	if err := o.objects.prepare(o.factory, &o.sources); err != nil {
		return err
	}
	return o.write(ctx, shownPlan(o.sources, o.scope, o.mode))
}

// shownPlan is the plan that plan and diff show: whoever gets its document can undo it.
func shownPlan(s sourceFlags, scope scopeFlags, mode plan.Mode) engine.PlanRequest {
	return engine.PlanRequest{Sources: engine.Sources(s), Scope: scope.scope(), Mode: mode, KeepDeleted: true}
}

// standardOutput is the name of a file that is standard output.
const standardOutput = "-"

// write makes the plan, saves it and shows it.
func (o *planOptions) write(ctx context.Context, request engine.PlanRequest) error {
	if o.outputFile == standardOutput {
		if o.output != "" && o.output != formJSON {
			return usagef("--output-file - writes the plan to standard output as JSON, and -o %s asks for another form there", o.output).WithHint("leave one of the two out.")
		}
		o.outputFile, o.output = "", formJSON
	}
	if o.outputFile != "" {
		path, err := o.factory.absolute(o.outputFile)
		if err != nil {
			return err
		}
		request.Dir = filepath.Dir(path)
	}
	key, err := o.factory.signingKey(o.signKey)
	if err != nil {
		return err
	}
	if _, err := o.factory.policy(); err != nil {
		return err
	}
	p, err := o.make(ctx, request)
	if err != nil {
		return err
	}
	p.Key = key
	s := o.factory.world.streams
	refused := askPolicy(o.factory, p)
	saved := o.outputFile != "" && refused == nil
	made := ""
	if saved {
		made = missingFolder(o.factory, o.outputFile)
		if err := savePlan(o.factory, p, o.outputFile); err != nil {
			return err
		}
	}
	form := o.output
	if o.outputFile != "" && isDocument(form) && form != formMarkdown { // which people read as it is
		if err := view.WritePlan(s.err, p.Plan, view.PlanOptions{Style: o.factory.errStyle(), Compared: p.Compared, Ignored: p.Ignored, Entities: p.Entities}); err != nil {
			return fmt.Errorf("write standard error: %w", err)
		}
	}
	if form == "" && o.outputFile == "" && !s.outTerminal {
		form = formJSON
	}
	if refused != nil && o.outputFile != "" {
		refused = errors.Join(refused, say(s.err, "The plan was not saved to %s: the policy refuses it.", o.outputFile))
	}
	shown := showJudged(o.factory, p, form, p.Saved, o.detailedExitCode, refused)
	if !saved {
		return shown
	}
	if err := say(s.err, "Plan written to %s%s.", o.outputFile, made); err != nil {
		return errors.Join(shown, err)
	}
	return shown
}

// missingFolder says that the folder of a file is a new one, where it does not exist
// yet.
func missingFolder(f *factory, file string) string {
	if dir := filepath.Dir(file); !f.exists(dir) {
		return " (new folder " + dir + ")"
	}
	return ""
}

// makePlan opens the engine for one plan, and tells its warnings.
func (f *factory) makePlan(ctx context.Context, c connectFlags, r engine.PlanRequest) (*engine.Planned, error) {
	d := newDisplay(f)
	defer d.close()
	e, err := f.newEngine(engineOptions{local: c.local, sink: d.sink})
	if err != nil {
		return nil, err
	}
	if r, err = f.request(r); err != nil {
		return nil, err
	}
	p, err := e.Plan(ctx, r)
	d.close()
	if err != nil {
		return nil, err
	}
	warn(f, p.Warnings)
	return p, nil
}
