//go:build !nonative

package native

import (
	"context"

	"github.com/kong/go-database-reconciler/pkg/dump"
	"github.com/kong/go-database-reconciler/pkg/utils"
	"github.com/kong/go-kong/kong"
	"golang.org/x/sync/errgroup"
)

// oauth2List is the list of the OAuth2 credentials of consumers.
const oauth2List = "oauth2"

// readAll reads a control plane with the library, and beside it the OAuth2
// credentials, which the library writes to Konnect and does not read from it.
func readAll(ctx context.Context, client *kong.Client, config dump.Config) (*utils.KongRawState, error) {
	var credentials []*kong.Oauth2Credential
	var beside errgroup.Group
	if !config.SkipConsumers {
		beside.Go(func() (err error) {
			credentials, err = dump.GetAllOauth2Creds(ctx, client, config.SelectorTags)
			if kong.IsForbiddenErr(err) {
				return nil // as for other lists that not every control plane has
			}
			return err
		})
	}
	out, err := dump.Get(ctx, client, config)
	if failed := beside.Wait(); err == nil {
		err = failed
	}
	if err != nil {
		return nil, err
	}
	out.Oauth2Creds = credentials
	return out, nil
}

// withDefaults gives credentials the values that gateways give to fields that are
// left out; the library knows no defaults of credentials.
func withDefaults(credentials []*kong.Oauth2Credential) {
	for _, c := range credentials {
		if c.ClientType == nil {
			c.ClientType = kong.String("confidential")
		}
		if c.HashSecret == nil {
			c.HashSecret = kong.Bool(false)
		}
	}
}
