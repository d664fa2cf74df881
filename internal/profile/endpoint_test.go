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

// Of a base URL and a region the one from the stronger source counts, and the other
// one is named as unused.
func TestUnused(t *testing.T) {
	env := func(vars map[string]string) func(string) (string, bool) {
		return func(name string) (string, bool) { v, ok := vars[name]; return v, ok }
	}
	const base, region, auth = BaseURL, Region, BaseAuthURL
	for name, row := range map[string]struct {
		flags, vars map[string]string
		want        map[string]string
	}{
		"a region alone":               {flags: map[string]string{region: "eu"}},
		"a base URL alone":             {flags: map[string]string{base: "https://a.example.com"}, want: map[string]string{region: base}},
		"a region of a stronger place": {flags: map[string]string{region: "eu"}, vars: map[string]string{"KONGCTL_KONNECT_BASE_URL": "https://a.example.com", "KONGCTL_KONNECT_BASE_AUTH_URL": "https://b.example.com"}, want: map[string]string{base: region, auth: region}},
		"side by side":                 {flags: map[string]string{region: "eu", base: "https://a.example.com"}, want: map[string]string{region: base}},
	} {
		s, err := Load(Source{Flags: row.flags, Env: env(row.vars)})
		if err != nil {
			t.Fatal(err)
		}
		for _, setting := range []string{base, region, auth, Token} {
			if got := s.Unused(setting); got != row.want[setting] {
				t.Errorf("%s: %s is unused for %q, want %q", name, setting, got, row.want[setting])
			}
		}
	}
}
