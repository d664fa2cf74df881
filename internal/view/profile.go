package view

import (
	"fmt"
	"io"
	"strings"
)

// Profiles are the profiles of a config file.
type Profiles struct {
	File     string    `json:"file"`
	Current  string    `json:"current"`
	ChosenBy string    `json:"chosen_by"`
	Profiles []Profile `json:"profiles"`
}

// Profile is one of them. It says whether there is a token, never which.
type Profile struct {
	Name    string `json:"name"`
	Current bool   `json:"current"`
	Konnect string `json:"konnect"`
	Token   bool   `json:"token"`
}

// WriteProfiles renders profiles for people.
func WriteProfiles(w io.Writer, p Profiles, width int, style Style) error {
	rows := make([][]string, 0, len(p.Profiles))
	for _, x := range p.Profiles {
		mark, token := "", "not set"
		if x.Current {
			mark = "*"
		}
		if x.Token {
			token = "set"
		}
		rows = append(rows, []string{mark, x.Name, x.Konnect, token})
	}
	return WriteTable(w, []string{" ", "NAME", "KONNECT", "TOKEN"}, rows, width, style)
}

// ProfileSettings are the settings of a profile, each with where it comes from.
type ProfileSettings struct {
	Profile    string    `json:"profile"`
	ChosenBy   string    `json:"chosen_by"`
	File       string    `json:"file"`
	FileExists bool      `json:"file_exists"`
	Settings   []Setting `json:"settings"`
}

// Setting is one setting. The value of a token is left out.
type Setting struct {
	Name   string  `json:"name"`
	Value  *string `json:"value,omitempty"`
	Set    bool    `json:"set"` // somebody set it
	Origin string  `json:"origin"`
	// UnusedFor is the setting that counts in its place; "" where it counts itself.
	UnusedFor string `json:"unused_for,omitempty"`
	// Hidden says that the value must not be shown.
	Hidden bool `json:"hidden,omitempty"`
}

// WriteProfileSettings renders settings for people.
func WriteProfileSettings(w io.Writer, p ProfileSettings, width int, style Style) error {
	missing := ""
	if !p.FileExists {
		missing = " (does not exist)"
	}
	if _, err := fmt.Fprintf(w, "Profile:  %s (%s)\nFile:     %s%s\n\n", printable(p.Profile), printable(p.ChosenBy), printable(p.File), missing); err != nil {
		return err
	}
	rows := make([][]string, 0, len(p.Settings))
	for _, s := range p.Settings {
		text := ""
		switch {
		case s.Hidden && s.Set:
			text = "set"
		case s.Hidden:
			text = "not set"
		case s.Value != nil:
			text = *s.Value
		}
		from := strings.Replace(s.Origin, " at "+p.File+":", ", line ", 1) // the file stands above
		if s.UnusedFor != "" {
			from += "; not used: " + s.UnusedFor + " counts"
		}
		rows = append(rows, []string{s.Name, text, from})
	}
	return WriteTable(w, []string{"SETTING", "VALUE", "FROM"}, rows, width, style)
}
