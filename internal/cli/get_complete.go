package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/disk"
	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/event"
	"github.com/kongctl/kongctl/internal/konnect/query"
	"github.com/kongctl/kongctl/internal/profile"
)

// rootWords are those that get begins with.
func rootWords() []string { return query.Next(nil) }

// completeGet completes types, children and names.
func completeGet(f *factory, o *getOptions, parents *parentFlags) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		f.flags = cmd.Flags()
		if len(args) == 1 {
			if kind, ok := engine.FindTokenKind(args[0]); ok {
				return tokenNames(f, o.connect.local, engine.TokenRequest{Kind: kind}), cobra.ShellCompDirectiveNoFileComp
			}
		}
		out := query.Next(args)
		given, err := parents.read(cmd)
		if asked, wrong := query.Parse(args); wrong == nil && err == nil && asked.Type != nil && asked.Name == "" && asked.Part+asked.Group == "" {
			out = append(out, liveNames(f, o.connect.local, query.Request{Asked: *asked, Parents: given})...)
		}
		return once(out), cobra.ShellCompDirectiveNoFileComp
	}
}

// completeParents completes the names of parents.
func completeParents(f *factory, cmd *cobra.Command, o *getOptions) {
	for _, word := range query.Parents() {
		roots := query.Roots(word)
		if len(roots) == 0 {
			continue
		}
		_ = cmd.RegisterFlagCompletionFunc(word+"-name", func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) { // the flag is there
			f.flags = cmd.Flags()
			asked, err := query.Parse(roots[:1])
			if err != nil {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return liveNames(f, o.connect.local, query.Request{Asked: *asked}), cobra.ShellCompDirectiveNoFileComp
		})
	}
}

// completeAdopt completes a type, then a name.
func completeAdopt(f *factory, o *executeOptions) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		f.flags = cmd.Flags()
		if len(args) == 0 {
			return kindNames(), cobra.ShellCompDirectiveNoFileComp
		}
		asked, err := query.Parse(args)
		if err != nil || asked.Type == nil || asked.Name != "" || len(args) > 1 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return liveNames(f, o.connect.local, query.Request{Asked: *asked}), cobra.ShellCompDirectiveNoFileComp
	}
}

// completeBrowse completes a type that has a page, then a name.
func completeBrowse(f *factory, connect *connectFlags) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		f.flags = cmd.Flags()
		if len(args) == 0 {
			return query.Pages(), cobra.ShellCompDirectiveNoFileComp
		}
		asked, err := query.Parse(args)
		if err != nil || asked.Type == nil || asked.Type.Page == "" || asked.Name != "" {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return liveNames(f, connect.local, query.Request{Asked: *asked}), cobra.ShellCompDirectiveNoFileComp
	}
}

// nameAge is how long names that were read serve completions.
const nameAge = 30 * time.Second

// liveNames are the names of what exists in Konnect: those of a moment ago, or read
// now. What goes wrong is for the command to report.
func liveNames(f *factory, local bool, r query.Request) []string {
	file := nameFile(f, local, r)
	skip, _ := f.flags.GetBool("no-cache")
	if names, ok := recentNames(f, file); ok && !skip {
		return harmless(names)
	}
	names := namesRead(f, local, func(ctx context.Context, e *engine.Engine) (*query.Answer, error) { return engine.Get(ctx, e, r) })
	if names == nil {
		return nil
	}
	if raw, err := json.Marshal(names); err == nil && file != "" && os.MkdirAll(filepath.Dir(file), 0o700) == nil {
		_ = disk.Write(file, raw) // it is read again next time
	}
	return harmless(names)
}

// tokenNames are the names of access tokens, which are not kept.
func tokenNames(f *factory, local bool, r engine.TokenRequest) []string {
	return harmless(namesRead(f, local, func(ctx context.Context, e *engine.Engine) (*query.Answer, error) { return engine.GetTokens(ctx, e, r) }))
}

// namesRead are the names that Konnect answers with in time, nil where it does not.
func namesRead(f *factory, local bool, read func(context.Context, *engine.Engine) (*query.Answer, error)) []string {
	ctx, cancel := context.WithTimeout(context.Background(), completionTime)
	defer cancel()
	e, err := f.openEngine(engineOptions{local: local, sink: func(event.Event) {}})
	if err != nil {
		return nil
	}
	answer, err := read(ctx, e)
	if err != nil {
		return nil
	}
	return answer.Names()
}

// nameFile is where names are kept, "" for nowhere: one file for each question to
// each place.
func nameFile(f *factory, local bool, r query.Request) string {
	folder, err := f.world.folder("XDG_CACHE_HOME", ".cache")
	if err != nil {
		return ""
	}
	s, err := f.settings()
	if err != nil {
		return ""
	}
	base, _, _, err := s.Endpoint()
	if err != nil {
		return ""
	}
	// The token chooses the organization; only its hash is used, inside of another.
	token := sha256.Sum256([]byte(s.String(profile.Token)))
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %v %q %q %v", s.Profile(), base, token, local, s.String(settingData), r.Type.Kind, r.Parents))
	return filepath.Join(folder, "kongctl", "names", hex.EncodeToString(sum[:16])+".json")
}

// recentNames reads names that were kept a moment ago.
func recentNames(f *factory, file string) ([]string, bool) {
	info, err := os.Stat(file)
	if err != nil || f.world.now().Sub(info.ModTime()) > nameAge {
		return nil, false
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, false
	}
	var names []string
	if err := json.Unmarshal(raw, &names); err != nil {
		return nil, false
	}
	return names, true
}
