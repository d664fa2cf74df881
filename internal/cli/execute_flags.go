package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/plan"
)

// executeOptions are those of the verbs that carry a plan out.
type executeOptions struct {
	factory  *factory
	mode     plan.Mode
	sources  sourceFlags
	scope    scopeFlags
	connect  connectFlags
	planFile string
	trust    trustFlags
	// onGatewayFailure says whether a run continues when the gateways' part fails.
	onGatewayFailure string
	journal          string
	// list and discard are what resume does instead.
	list    bool
	discard string
	adopt   engine.Adopt
	// objects say how Kubernetes objects are applied.
	objects objectFlags
	// targets are what takes part although no document is theirs, prune is what a
	// verb prunes whatever the settings say.
	targets []string
	prune   string
	// failOnNoMatch makes an error of a delete that finds nothing.
	failOnNoMatch bool
	dryRun        bool
	noLock        bool
	autoApprove   bool
	output        string
	reportFile    string
	generatedFile string
}

func (o *executeOptions) add(cmd *cobra.Command) {
	o.sources.add(cmd)
	o.scope.add(cmd)
	flags := cmd.Flags()
	flags.StringVar(&o.planFile, "plan", "", "execute a saved plan (- for standard input)")
	flags.Lookup("prune").Usage += "; with --plan, refuse a plan that was created with more"
	addVerifyKey(cmd)
	addMaxAge(cmd)
	flags.BoolVar(&o.trust.allowForeign, "allow-foreign-plan", false, "execute a saved plan of Kong's own tool, checked against Konnect first")
	o.addExecution(cmd)
}

// addExecution adds what every way of carrying out a plan has.
func (o *executeOptions) addExecution(cmd *cobra.Command) {
	flags := cmd.Flags()
	o.trust.add(cmd, "Konnect")
	addPolicy(cmd)
	addGateway(cmd)
	addGatewayFailure(cmd, &o.onGatewayFailure)
	flags.BoolVar(&o.dryRun, "dry-run", false, "show the plan and stop")
	flags.BoolVar(&o.noLock, "no-lock", false, "do not wait for other runs on this machine with the same organization and namespaces")
	addDiff(cmd)
	addApproval(cmd, &o.autoApprove)
	offer(cmd, &o.output, ": the execution report (default text)", o.forms())
	flags.StringVar(&o.reportFile, "execution-report-file", "", "write the execution report as JSON to a file")
	o.connect.add(cmd)
}

// forms are those of the report; what was adopted by name has no pages.
func (o *executeOptions) forms() []string {
	if o.mode == plan.ModeAdopt {
		return []string{formText, formJSON, formYAML}
	}
	return reportForms
}

// start checks the flags and runs the verb, or what a test put in its place.
func (o *executeOptions) start(cmd *cobra.Command, runF func(context.Context, *executeOptions) error) error {
	if err := checkForm(cmd, o.output); err != nil {
		return err
	}
	if err := checkPlanFlag(cmd, o.planFile); err != nil {
		return err
	}
	if err := o.connect.check(cmd); err != nil {
		return err
	}
	if err := o.trust.check(); err != nil {
		return err
	}
	if err := o.scope.check(); err != nil {
		return err
	}
	if o.trust.verify && o.planFile == "" && o.sources.readsStdin() {
		return usagef("--verify and -f - exclude each other: standard input cannot be read again").WithHint("write the configuration to a file.")
	}
	if err := o.objects.check(cmd); err != nil {
		return err
	}
	if err := checkGenerated(o.factory, o.generatedFile); err != nil {
		return err
	}
	if err := checkGatewayFailure(o.onGatewayFailure); err != nil {
		return err
	}
	if err := o.scope.checkExecution(o.mode); err != nil {
		return err
	}
	if o.scope.gateway && o.planFile != "" {
		return usagef("--plan and the target gateway exclude each other").WithHint("a saved plan is carried out as it is.")
	}
	if runF == nil {
		runF = executeRun
	}
	return runF(cmd.Context(), o)
}

// request is what the flags ask for.
func (o *executeOptions) request() (engine.PlanRequest, error) {
	return o.factory.request(engine.PlanRequest{
		Sources: engine.Sources(o.sources), Scope: o.scope.scope(), Mode: o.mode, Adopt: o.adopt, Targets: o.targets, Prune: o.prune, Prompts: !o.autoApprove && !o.dryRun,
		KeepDeleted: o.reportFile != "" || o.output == formJSON || o.output == formYAML, // the report has the document of the plan
	})
}
