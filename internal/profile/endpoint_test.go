package profile

import (
	"strings"
	"testing"
)

func TestEndpoint(t *testing.T) {
	const kong = "https://global.api.konghq.com"
	rows := map[string]struct {
		flags                string // name=value, comma-separated
		env                  []string
		file                 string
		base, global, region string
	}{
		"nothing said": {base: "https://us.api.konghq.com", global: kong, region: "us"},
		"region in capitals": {
			flags: "konnect.region=EU",
			base:  "https://eu.api.konghq.com", global: kong, region: "eu",
		},
		"region and identity host": {
			flags: "konnect.region=au,konnect.base-auth-url=https://id.example/",
			base:  "https://au.api.konghq.com", global: "https://id.example", region: "au",
		},
		"base URL alone": {
			flags: "konnect.base-url=http://127.0.0.1:8080/",
			base:  "http://127.0.0.1:8080", global: "http://127.0.0.1:8080",
		},
		"base URL of a region": {
			flags: "konnect.base-url=https://sg.api.konghq.com",
			base:  "https://sg.api.konghq.com", global: "https://sg.api.konghq.com", region: "sg",
		},
		"base URL and identity host": {
			flags: "konnect.base-url=https://a.example,konnect.base-auth-url=https://b.example",
			base:  "https://a.example", global: "https://b.example",
		},
		"base URL and region side by side": {
			flags: "konnect.base-url=https://a.example,konnect.region=eu",
			base:  "https://a.example", global: "https://a.example",
		},
		"base URL of the profile": {
			file: "konnect: {base-url: https://a.example, base-auth-url: https://b.example}",
			base: "https://a.example", global: "https://b.example",
		},
		"region flag against the profile's addresses": {
			flags: "konnect.region=eu",
			file:  "konnect: {base-url: https://a.example, base-auth-url: https://b.example}",
			base:  "https://eu.api.konghq.com", global: kong, region: "eu",
		},
		"base URL flag against the profile's addresses": {
			flags: "konnect.base-url=http://localhost:1",
			file:  "konnect: {region: eu, base-auth-url: https://b.example}",
			base:  "http://localhost:1", global: "http://localhost:1",
		},
		"identity host of the profile with a region from the environment": {
			env:  []string{"KONGCTL_KONNECT_REGION=in"},
			file: "konnect: {base-auth-url: https://b.example}",
			base: "https://in.api.konghq.com", global: "https://b.example", region: "in",
		},
		"base URL from the environment against the profile's region": {
			env:  []string{"KONGCTL_DEFAULT_KONNECT_BASE_URL=https://a.example"},
			file: "konnect: {region: eu}",
			base: "https://a.example", global: "https://a.example",
		},
		"a base URL that is none is the client's to refuse": {
			flags: "konnect.base-url=http://[",
			base:  "http://[", global: "http://[",
		},
	}
	for name, row := range rows {
		t.Run(name, func(t *testing.T) {
			flags := map[string]string{}
			for pair := range strings.SplitSeq(row.flags, ",") {
				if n, v, ok := strings.Cut(pair, "="); ok {
					flags[n] = v
				}
			}
			file := "-"
			if row.file != "" {
				file = "default: {" + row.file + "}"
			}
			s, err := Load(Source{Flags: flags, Env: environment(row.env...), HomeConfigDir: home(t, file)})
			if err != nil {
				t.Fatal(err)
			}
			base, global, region, err := s.Endpoint()
			if base != row.base || global != row.global || region != row.region || err != nil {
				t.Errorf("base %s, global %s, region %q, error %v\nwant base %s, global %s, region %q", base, global, region, err, row.base, row.global, row.region)
			}
		})
	}
}

func TestEveryRegionHasItsHost(t *testing.T) {
	for _, region := range []string{"us", "eu", "au", "me", "in", "sg"} {
		s, err := Load(Source{Flags: map[string]string{Region: region}})
		if err != nil {
			t.Fatal(err)
		}
		base, _, got, err := s.Endpoint()
		if base != "https://"+region+".api.konghq.com" || got != region || err != nil {
			t.Errorf("%s: base %s, region %s, error %v", region, base, got, err)
		}
	}
}

func TestUnknownRegion(t *testing.T) {
	s, err := Load(Source{Env: environment("KONGCTL_KONNECT_REGION=mars")})
	if err != nil {
		t.Fatal(err)
	}
	_, _, _, err = s.Endpoint()
	want := `setting konnect.region (environment variable KONGCTL_KONNECT_REGION): "mars" is not a region; regions: us, eu, au, me, in, sg`
	if err == nil || err.Error() != want {
		t.Errorf("error %v\nwant  %s", err, want)
	}
}
