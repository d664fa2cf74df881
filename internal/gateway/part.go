package gateway

import (
	"net/url"
	"slices"
)

// WithParts adds the parts of secrets that are URLs: decK takes the url of a
// service apart, and shows host and path by themselves.
func WithParts(secrets []string) []string {
	out := slices.Clone(secrets)
	for _, s := range secrets {
		u, err := url.Parse(s)
		if err != nil || u.Scheme == "" || u.Host == "" {
			continue
		}
		password, _ := u.User.Password()
		for _, part := range []string{u.Host, u.Hostname(), u.Path, u.User.Username(), password} {
			if len(part) > 1 && !slices.Contains(out, part) {
				out = append(out, part)
			}
		}
	}
	return out
}
