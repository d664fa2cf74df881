// Package profile finds settings: who we are, where Konnect is, how to behave.
//
// In: flags, the environment and the config file. Out: each setting's value
// and where it came from; a flag beats the environment, that beats the
// profile, that beats the default. It must never import a package that talks
// to a service or renders, and never put the value of a token into an error.
package profile

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/kongctl/kongctl/internal/pattern"
	"github.com/kongctl/kongctl/internal/value"
)

// The settings that this package itself reads.
const (
	Token       = "konnect.pat"
	BaseURL     = "konnect.base-url"
	BaseAuthURL = "konnect.base-auth-url"
	Region      = "konnect.region"
)

// Source is where settings are looked for.
type Source struct {
	Profile       string                      // --profile
	AnyProfile    bool                        // it need not be in the config file
	ConfigFile    string                      // --config-file
	Env           func(string) (string, bool) // nil: an empty environment
	HomeConfigDir string                      // $XDG_CONFIG_HOME or ~/.config; empty: no default file
	Flags         map[string]string           // by setting name, only those set
}

// Settings answers for one profile.
type Settings struct {
	profile string
	chosen  string // what chose it, in words
	any     bool   // it need not be in the file
	path    string
	flags   map[string]string
	env     func(string) (string, bool)
	file    map[string]entry // the profile's own, by setting name
}

// rank orders the places a value comes from.
type rank int

const (
	byDefault rank = iota
	byProfile
	byEnvironment
	byFlag
)

func defaults() map[string]string {
	return map[string]string{
		Region:            "us",
		"max-concurrency": "16",
		"log-format":      "text",
		"plan.max-age":    "7d",
	}
}

var profileName = pattern.New(`^[A-Za-z0-9][A-Za-z0-9_-]*$`)

// UnknownProfileError says that the config file has no profile of that name.
type UnknownProfileError struct {
	Profile string
	File    string
	Known   []string
	// Chosen is what asked for it, in words.
	Chosen string
}

// Error lists the profiles there are.
func (e *UnknownProfileError) Error() string {
	known := strings.Join(e.Known, ", ")
	if known == "" {
		known = "none"
	}
	by := ""
	if strings.HasPrefix(e.Chosen, currentKey) {
		by = " (" + e.Chosen + ")"
	}
	return fmt.Sprintf("profile %s%s: not in %s; profiles there: %s", e.Profile, by, e.File, known)
}

// DefaultName is the profile that is used where nobody names one.
const DefaultName = "default"

const profileVariable = "KONGCTL_PROFILE"

// Load picks the profile and reads the config file: the flag's, the environment's,
// the current one of the file, else the default. A profile that was asked
// for must be in the file if there is one, unless any will do; without a file the
// environment alone may describe it.
func Load(src Source) (*Settings, error) {
	s, path, required, err := begin(src)
	if err != nil || path == "" {
		return s, err
	}
	c, err := readFile(path, required)
	if c == nil || err != nil {
		return s, err
	}
	s.path = path
	return s, s.take(c)
}

// begin finds out which profile and which file are asked for. The profile is ""
// where nobody names one.
func begin(src Source) (s *Settings, path string, required bool, err error) {
	s = &Settings{profile: src.Profile, chosen: "--profile", any: src.AnyProfile, flags: src.Flags, env: src.Env}
	if s.env == nil {
		s.env = func(string) (string, bool) { return "", false }
	}
	if s.profile == "" {
		s.profile, _ = s.variable(profileVariable)
		s.chosen = "environment variable " + profileVariable
	}
	if s.profile == "" {
		s.profile, s.chosen = DefaultName, ""
	}
	if err := CheckName(s.profile); err != nil {
		return nil, "", false, err
	}
	path, required = s.configFile(src)
	return s, path, required, nil
}

// take takes the settings of the profile from the file.
func (s *Settings) take(c *content) error {
	if s.chosen == "" && c.current.value != "" {
		s.profile, s.chosen = c.current.value, fmt.Sprintf("%s at %s:%d", currentKey, s.path, c.current.line)
		if err := CheckName(s.profile); err != nil {
			return fmt.Errorf("%s:%d: %w", s.path, c.current.line, err)
		}
	}
	own, ok := c.profiles[s.profile]
	if !ok && s.chosen != "" && !s.any {
		return &UnknownProfileError{Profile: s.profile, File: s.path, Known: names(c.profiles), Chosen: s.chosen}
	}
	s.file = own
	return nil
}

// CheckName refuses what cannot be the name of a profile.
func CheckName(name string) error {
	if !profileName.MatchString(name) {
		return &NameError{Profile: name}
	}
	return nil
}

// NameError is a name that a profile cannot have.
type NameError struct{ Profile string }

func (e *NameError) Error() string {
	return fmt.Sprintf("profile %q: a name has letters, digits, - and _", e.Profile)
}

func names(profiles map[string]map[string]entry) []string {
	out := make([]string, 0, len(profiles))
	for name := range profiles {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// In is the same settings with a region that is named like a flag.
func (s *Settings) In(region string) *Settings {
	out := *s
	out.flags = map[string]string{Region: region}
	for name, v := range s.flags {
		if name != Region {
			out.flags[name] = v
		}
	}
	return &out
}

// configFile is the path and whether somebody asked for it.
func (s *Settings) configFile(src Source) (string, bool) {
	if src.ConfigFile != "" {
		return src.ConfigFile, true
	}
	if path, _, ok := s.environment("config-file"); ok {
		return path, true
	}
	return DefaultFile(src.HomeConfigDir), false
}

// Profile is the name of the profile in use.
func (s *Settings) Profile() string { return s.profile }

// Missing reports whether there is a config file that does not have the profile.
func (s *Settings) Missing() bool { return s.path != "" && s.file == nil }

// Chosen says in words what chose the profile, "" for nothing.
func (s *Settings) Chosen() string { return s.chosen }

// File is the config file that was read, or empty.
func (s *Settings) File() string { return s.path }

// Misspelled is a setting of the profile that nobody knows, and the one that
// was probably meant.
type Misspelled struct {
	Name, Meant string
	Line        int
}

// Misspelled lists the settings of the file that are unknown, where
// one of those is near: a guard that is not set must not be taken for set.
func (s *Settings) Misspelled(known []string, nearest func(string, []string) string) []Misspelled {
	var out []Misspelled
	for name, e := range s.file {
		if slices.Contains(known, name) {
			continue
		}
		if meant := nearest(name, known); meant != "" {
			out = append(out, Misspelled{Name: name, Meant: meant, Line: e.line})
		}
	}
	slices.SortFunc(out, func(a, b Misspelled) int { return a.Line - b.Line })
	return out
}

// Format keeps tokens out of every printed form.
func (s *Settings) Format(f fmt.State, _ rune) {
	_, _ = io.WriteString(f, "settings of profile "+s.profile)
}

// Lookup finds a setting and says in words where it came from.
func (s *Settings) Lookup(name string) (value, origin string, ok bool) {
	value, origin, _, ok = s.find(name)
	return value, origin, ok
}

// Default reports whether nobody set a setting.
func (s *Settings) Default(name string) bool {
	_, _, by, _ := s.find(name)
	return by == byDefault
}

// String is the setting's value, or empty.
func (s *Settings) String(name string) string {
	v, _, _ := s.Lookup(name)
	return v
}

// Flag is the value that a flag gave to a setting, or empty.
func (s *Settings) Flag(name string) string { return s.flags[name] }

// Bool reads true or false; a setting that nobody set is false.
func (s *Settings) Bool(name string) (bool, error) {
	v, origin, ok := s.Lookup(name)
	if !ok {
		return false, nil
	}
	b, err := strconv.ParseBool(strings.ToLower(v))
	if err != nil {
		return false, malformed(name, v, origin, "true or false")
	}
	return b, nil
}

// Int reads a whole number; a setting that nobody set is 0.
func (s *Settings) Int(name string) (int, error) {
	v, origin, ok := s.Lookup(name)
	if !ok {
		return 0, nil
	}
	n, err := strconv.Atoi(v)
	if err != nil {
		return 0, malformed(name, v, origin, "a whole number")
	}
	return n, nil
}

func malformed(name, value, origin, want string) error {
	if IsToken(name) {
		return fmt.Errorf("setting %s (%s): not %s", name, origin, want)
	}
	return fmt.Errorf("setting %s (%s): %q is not %s", name, origin, value, want)
}

func (s *Settings) find(name string) (value, origin string, by rank, ok bool) {
	if v, ok := s.flags[name]; ok {
		return v, "flag", byFlag, true
	}
	if v, variable, ok := s.environment(name); ok {
		return v, "environment variable " + variable, byEnvironment, true
	}
	if e, ok := s.file[name]; ok {
		return e.value, fmt.Sprintf("profile %s at %s:%d", s.profile, s.path, e.line), byProfile, true
	}
	if v, ok := defaults()[name]; ok {
		return v, "default", byDefault, true
	}
	return "", "", byDefault, false
}

// environment reads a setting's variables, the profile's own first.
func (s *Settings) environment(name string) (value, variable string, ok bool) {
	for _, variable := range []string{
		"KONGCTL_" + screaming(s.profile) + "_" + screaming(name),
		"KONGCTL_" + screaming(name),
	} {
		if v, ok := s.variable(variable); ok {
			return v, variable, true
		}
	}
	return "", "", false
}

// variable takes an empty one for unset: a pipeline's missing secret arrives
// that way, and must not hide what the profile says.
func (s *Settings) variable(name string) (string, bool) {
	v, ok := s.env(name)
	v = strings.TrimSpace(v)
	return v, ok && v != ""
}

func screaming(name string) string {
	return strings.ToUpper(strings.NewReplacer(".", "_", "-", "_").Replace(name))
}

// IsToken reports whether a setting's value must never be shown.
func IsToken(name string) bool {
	return value.IsCredentialWord(name[strings.LastIndexAny(name, ".-")+1:])
}
