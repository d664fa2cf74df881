package cli

import (
	"errors"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
)

// scopeFlags bound what a plan may do.
type scopeFlags struct {
	allowReplace        []string
	allowEmpty          []string
	allowCascade        []string
	writeSecret         []string
	writeSecrets        bool
	requireNamespaces   []string
	requireAnyNamespace bool
	filter              filterFlags
	// allowPending lets what needs externals that are not there wait;
	// checkIDs says which ids of externals must exist.
	allowPending   bool
	checkIDs       resource.IDCheck
	includeGateway bool
	// gateway restricts a plan to decK's part.
	gateway bool
}

func (s *scopeFlags) add(cmd *cobra.Command) {
	s.filter.add(cmd)
	flags := cmd.Flags()
	flags.String("prune", engine.PruneFull, "what sync deletes: full, declared or none")
	flags.StringSliceVar(&s.allowReplace, "allow-replace", nil, "allow this resource to be deleted and created again: [type:]ref; may be repeated")
	flags.StringSliceVar(&s.allowEmpty, "allow-empty", nil, "allow sync to delete all resources of this type although the configuration does not mention it; _deck for decK entities, k8s for Kubernetes objects; may be repeated")
	flags.StringSliceVar(&s.allowCascade, "allow-cascade", nil, "allow this resource to be deleted although Konnect then also deletes resources of other owners: [type:]ref; may be repeated")
	flags.String("max-deletes", "", "refuse a plan with more deletes than this: a number, or a percentage such as 10% (default: no limit)")
	flags.StringSliceVar(&s.writeSecret, "write-secret", nil, "write this secret, or a value that Konnect does not return, to an existing resource: [type:]ref[#field], such as mp#config.auth.headers[].value; may be repeated")
	flags.BoolVar(&s.writeSecrets, "write-secrets", false, "write all declared secrets, and values that Konnect does not return, to existing resources")
	flags.BoolVar(&s.allowPending, "allow-pending-external", false, "report resources that need a missing external resource as pending, instead of failing")
	flags.BoolFunc("check-external-ids", "check that the ids of all external resources exist, not only those that a field is about to get; =false checks none", s.readCheckIDs)
	flags.BoolVar(&s.includeGateway, "include-deck", false, "with delete: also let decK delete the entities that its select tags own")
	titled(flags, groupGateway, "include-deck")
	flags.StringSliceVar(&s.requireNamespaces, "require-namespace", nil, "refuse resources outside these namespaces")
	flags.BoolVar(&s.requireAnyNamespace, "require-any-namespace", false, "refuse resources without an explicit namespace")
}

// readCheckIDs reads which ids to check.
func (s *scopeFlags) readCheckIDs(text string) error {
	all, err := strconv.ParseBool(text)
	if err != nil {
		return errors.New("use true or false")
	}
	if s.checkIDs = resource.CheckNoIDs; all {
		s.checkIDs = resource.CheckAllIDs
	}
	return nil
}

// scope is what the flags ask for.
func (s *scopeFlags) scope() engine.Scope {
	return engine.Scope{
		AllowReplace: s.allowReplace, AllowEmpty: s.allowEmpty, AllowCascade: s.allowCascade, WriteSecrets: s.secrets(),
		RequireNamespaces: s.requireNamespaces, RequireAnyNamespace: s.requireAnyNamespace,
		AllowPending: s.allowPending, CheckIDs: s.checkIDs, IncludeGateway: s.includeGateway, Gateway: s.gateway,
		Filter: engine.Filter{Ignore: s.filter.ignore, Isolate: s.filter.isolate, IgnoreFiles: s.filter.files},
	}
}

// secrets are the secrets of existing resources to write.
func (s *scopeFlags) secrets() []string {
	if s.writeSecrets {
		return []string{"*"}
	}
	return s.writeSecret
}

// check refuses what does not go together.
func (s *scopeFlags) check() error {
	if s.writeSecrets && len(s.writeSecret) > 0 {
		return usagef("--write-secret and --write-secrets exclude each other")
	}
	if s.gateway && !s.filter.empty() {
		return usagef("the target gateway and filters exclude each other")
	}
	return s.filter.check()
}

// checkMode refuses what does not go with the mode of a plan.
func (s *scopeFlags) checkMode(mode plan.Mode, hint string) error {
	if s.includeGateway && mode != plan.ModeDelete {
		return usagef("--include-deck is for deletes").WithHint("%s", hint)
	}
	return nil
}

// checkExecution refuses what does not go with carrying a plan out.
func (s *scopeFlags) checkExecution(mode plan.Mode) error {
	if s.gateway && mode == plan.ModeDelete && !s.includeGateway {
		return usagef("delete gateway removes what decK's select tags own").WithHint("add --include-deck.")
	}
	return s.checkMode(mode, "apply and sync run decK anyway.")
}
