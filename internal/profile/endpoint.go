package profile

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

const identityURL = "https://global.api.konghq.com"

// Regions lists the regions of Konnect.
func Regions() []string { return []string{"us", "eu", "au", "me", "in", "sg"} }

// RegionURL is the address of a region.
func RegionURL(region string) string { return "https://" + region + ".api.konghq.com" }

// Endpoint says where Konnect is: the regional address, the identity address
// and the region, which is empty for an address outside of the regions.
//
// The region and the base URL exclude each other: the one from the stronger
// source counts, the base URL when they stand side by side. An identity
// address from a weaker source than the base URL belongs to another place and
// is left out, or the token and half the changes would go there.
func (s *Settings) Endpoint() (baseURL, globalURL, region string, err error) {
	base, _, baseBy, hasBase := s.find(BaseURL)
	region, origin, regionBy, _ := s.find(Region)
	auth, _, authBy, hasAuth := s.find(BaseAuthURL)

	useBase := hasBase && baseBy >= regionBy
	decidedBy := regionBy
	if useBase {
		decidedBy = baseBy
	}
	if hasAuth && hasBase && authBy < decidedBy {
		hasAuth = false
	}
	globalURL = strings.TrimRight(auth, "/")

	if useBase {
		baseURL = strings.TrimRight(base, "/")
		if !hasAuth {
			globalURL = baseURL
		}
		return baseURL, globalURL, regionOf(baseURL), nil
	}
	region = strings.ToLower(region)
	if !slices.Contains(Regions(), region) {
		return "", "", "", fmt.Errorf("setting %s (%s): %q is not a region; regions: %s",
			Region, origin, region, strings.Join(Regions(), ", "))
	}
	if !hasAuth {
		globalURL = identityURL
	}
	return RegionURL(region), globalURL, region, nil
}

// Unused is the setting that counts in place of an address or region that is set, ""
// where the setting itself counts.
func (s *Settings) Unused(name string) string {
	_, _, baseBy, hasBase := s.find(BaseURL)
	_, _, regionBy, _ := s.find(Region)
	_, _, by, has := s.find(name)
	if !has || !hasBase {
		return ""
	}
	counts, decidedBy := Region, regionBy
	if baseBy >= regionBy {
		counts, decidedBy = BaseURL, baseBy
	}
	switch {
	case name == counts, name != BaseURL && name != Region && name != BaseAuthURL, name == BaseAuthURL && by >= decidedBy:
		return ""
	default:
		return counts
	}
}

func regionOf(baseURL string) string {
	u, err := url.Parse(baseURL)
	if err != nil {
		return ""
	}
	for _, r := range Regions() {
		if strings.EqualFold("https://"+u.Host, RegionURL(r)) {
			return r
		}
	}
	return ""
}

// CheckURL refuses an address that no token may be sent to: one that is not
// https, unless it is on this machine, or that has more than a host and a path.
func CheckURL(text string) error {
	u, err := url.Parse(text)
	switch {
	case err != nil, u.Hostname() == "", u.Scheme != "https" && u.Scheme != "http":
		return errors.New("not a URL of the form https://host")
	case u.User != nil:
		return errors.New("must not carry a user or password")
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return errors.New("must end with host or path")
	case u.Scheme == "http" && !loopback(u.Hostname()):
		return errors.New("plain http is only allowed for loopback addresses; use https")
	}
	return nil
}

func loopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && ip.IsLoopback()
}
