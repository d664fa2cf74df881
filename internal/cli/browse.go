package cli

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/konnect/emulator"
	"github.com/kongctl/kongctl/internal/konnect/emulator/local"
	"github.com/kongctl/kongctl/internal/konnect/query"
)

// webAddress is where Konnect's web application is.
const webAddress = "https://cloud.konghq.com"

type browseOptions struct {
	factory *factory
	connect connectFlags
	asked   *query.Asked
	// unknown is what to say where a name that is also what resources of its type have
	// is not found; nil of other names.
	unknown error
	print   bool
}

func newBrowseCmd(f *factory, runF func(context.Context, *browseOptions) error) *cobra.Command {
	o := &browseOptions{factory: f}
	cmd := &cobra.Command{
		Use:   "browse TYPE [NAME|ID]",
		Short: "Open the page of a resource in Konnect",
		Long: `Open the page of a resource in Konnect, and print its address. Without a name it is
the page of all resources of the type. Where there is no browser, or standard output
is not a terminal, the address is only printed. An embedded Konnect that runs as a
server has pages of its own.`,
		Example: `  kongctl browse portal my-portal
  kongctl browse gateway control-planes
  kongctl browse api flights --print`,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if err := o.connect.check(cmd); err != nil {
				return err
			}
			if o.asked, err = query.Parse(args); err != nil {
				return asUsage("browse", err)
			}
			unknown := usagef("browse: no page is known for %q", strings.Join(args, " ")).WithHint("pages are known for %s.", strings.Join(query.Pages(), ", "))
			if name := o.asked.AsName(); name != o.asked {
				o.asked, o.unknown = name, unknown
			}
			if o.asked.Type == nil || o.asked.Type.Page == "" {
				return unknown
			}
			if runF == nil {
				runF = browseRun
			}
			return runF(cmd.Context(), o)
		},
	}
	cmd.Flags().BoolVar(&o.print, "print", false, "print the address, and open nothing")
	o.connect.add(cmd)
	cmd.ValidArgsFunction = completeBrowse(f, &o.connect)
	return cmd
}

func browseRun(ctx context.Context, o *browseOptions) error {
	page, err := o.page(ctx)
	if err != nil {
		return err
	}
	s := o.factory.world.streams
	if err := say(s.out, "%s", page); err != nil {
		return toOutput(err)
	}
	if o.print || !s.outTerminal {
		return nil
	}
	if err := o.factory.world.browse(page); err != nil && !errors.Is(err, errNoBrowser) {
		return err
	}
	return nil
}

// page is the address that was asked for.
func (o *browseOptions) page(ctx context.Context) (string, error) {
	if o.connect.local {
		status, err := o.factory.localStatus(ctx)
		if err != nil {
			return "", err
		}
		if !status.Running {
			return "", errors.New("the embedded Konnect has a page while it runs as a server: run `kongctl local start`")
		}
		return o.embedded(ctx, status.Address)
	}
	s, err := o.factory.settings()
	if err != nil {
		return "", err
	}
	base, _, region, err := s.Endpoint()
	if err != nil {
		return "", usagef("%v", err)
	}
	if u, err := url.Parse(base); err == nil && region == "" && local.Loopback(u.Host) {
		return o.embedded(ctx, base)
	}
	if region == "" {
		return "", usagef("browse: pages are known for regions of Konnect, not for %s", base).WithHint("name a region with --region.")
	}
	id, err := o.id(ctx)
	if err != nil {
		return "", err
	}
	path := strings.ReplaceAll(o.asked.Type.Page, "{region}", region)
	if id == "" {
		return webAddress + strings.TrimSuffix(path, "/{id}"), nil
	}
	return webAddress + strings.ReplaceAll(path, "{id}", url.PathEscape(id)), nil
}

// embedded is the address in an embedded Konnect.
func (o *browseOptions) embedded(ctx context.Context, base string) (string, error) {
	id, err := o.id(ctx)
	switch {
	case err != nil:
		return "", err
	case id == "":
		return base + emulator.KindPage(o.asked.Type.Kind), nil
	default:
		return base + emulator.ResourcePage(o.asked.Type.Kind, id), nil
	}
}

// id is that of the resource that was named; "" where none was.
func (o *browseOptions) id(ctx context.Context) (string, error) {
	if o.asked.Name == "" {
		return "", nil
	}
	d := newDisplay(o.factory)
	defer d.close()
	e, err := o.factory.openEngine(engineOptions{local: o.connect.local, sink: d.sink})
	if err != nil {
		return "", err
	}
	answer, err := engine.Get(ctx, e, query.Request{Asked: *o.asked})
	if missing := (*query.NotFoundError)(nil); o.unknown != nil && errors.As(err, &missing) {
		return "", o.unknown
	}
	if err != nil {
		return "", err
	}
	if len(answer.Bodies) != 1 {
		return "", fmt.Errorf("%d resources are named %q", len(answer.Bodies), o.asked.Name)
	}
	id, _ := answer.Bodies[0]["id"].(string)
	return id, nil
}
