package gateway

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/resource"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/value"
)

// finish checks what the files of a job say together.
func (c *collector) finish(j *Job) {
	j.index()
	c.format(j)
	c.state(j)
	c.tags(j)
	if name, ok := j.ControlPlane.Fields.Field("name").Text(); ok && j.ControlPlane.External == nil {
		c.diags = append(c.diags, CheckName(j, name)...)
	}
}

// CheckName tells of files that are for a control plane of another name. Jobs
// does it where the name stands in the configuration; that of an external
// control plane is known when it was read.
func CheckName(j *Job, name string) diag.List {
	var diags diag.List
	differs := func(says string, pos value.Pos, secrets []string) {
		if says != "" && says != name {
			diags.Add(diag.DeckControlPlane, pos, fmt.Sprintf("It is for the control plane %q, and the configuration uses it for %q at %s.", Mask(says, secrets), name, j.ControlPlane.Pos), fmt.Sprintf("write control_plane_name: %s, or remove the line; or use the file where it belongs.", name))
		}
	}
	for _, d := range j.documents {
		differs(d.ControlPlane, d.ControlPlanePos, d.Secrets)
	}
	konnect := j.State.Field("_konnect")
	for _, field := range []string{"control_plane_name", "runtime_group_name"} {
		says, _ := konnect.Field(field).Text()
		differs(says, konnect.Field(field).Pos(), nil)
	}
	return diags
}

// CheckOnce reports jobs for one and the same control plane: each would undo
// what the other does. Which control plane an entry means is known when it was
// read; id is "" for one that does not exist.
func CheckOnce(jobs []*Job, id func(*resource.Resource) string) diag.List {
	var diags diag.List
	first := map[string]*Job{}
	for _, j := range jobs {
		is := id(j.ControlPlane)
		before := first[is]
		switch {
		case is == "":
		case before == nil:
			first[is] = j
		default:
			diags.Add(diag.DeckTwiceOne, j.Pos, fmt.Sprintf("The control plane %q is the same as %q, which has decK's work at %s: both are %s.", j.ControlPlane.Ref, before.ControlPlane.Ref, before.Pos, is),
				fmt.Sprintf("keep one of the entries, with all files: refer to it as %s.", before.ControlPlane.Ref))
		}
	}
	return diags
}

// format tells of files none of which has a format version: decK takes them for
// old ones. A state in the configuration is new.
func (c *collector) format(j *Job) {
	if j.inline() || len(j.documents) == 0 || slices.ContainsFunc(j.documents, func(d *Document) bool { return d.Format != "" }) {
		return
	}
	for _, d := range j.documents {
		c.diags.Add(diag.DeckFormat, value.Pos{File: d.Name}, "It has no format version, so decK takes it for one of an old gateway.", formatFix(""))
	}
}

// state checks the head of a state that stands in the configuration.
func (c *collector) state(j *Job) {
	if v := j.State.Field("_format_version"); !v.IsAbsent() {
		if is := v.Written(); is != FormatVersion {
			c.diags.Add(diag.DeckFormat, v.Pos(), fmt.Sprintf("It has the format version %s, and Konnect takes %s.", is, FormatVersion), "remove the line.")
		}
	}
	if v := j.State.Field("_workspace"); !v.IsAbsent() {
		c.diags.Add(diag.DeckWorkspace, v.Pos(), "A control plane of Konnect has no workspaces.", "remove _workspace.")
	}
}

// tags joins the select tags of flags, files and state. decK refuses flags that
// say other tags than files.
func (c *collector) tags(j *Job) {
	var written []string
	for _, d := range j.documents {
		written = append(written, d.SelectTags...)
	}
	for _, v := range j.State.Field("_info").Field("select_tags").Items() {
		if s, ok := v.Text(); ok {
			written = append(written, s)
		} else if v.Expr() != nil {
			c.diags.Add(diag.DeckTemplate, v.Pos(), variableTag, variableTagFix)
		}
	}
	slices.Sort(written)
	written = slices.Compact(written)
	flags := j.Flags.SelectTags
	if len(written) > 0 && len(flags) > 0 && !slices.Equal(written, flags) {
		c.diags.Add(diag.DeckTags, j.Pos, fmt.Sprintf("The flags select %s, and %s %s.", list(flags), j.Name(), list(written)), "say the tags in one place; those of the file are enough.")
	}
	if len(written) > 0 {
		j.Flags.SelectTags = written
	}
}

func list(tags []string) string { return strings.Join(tags, ", ") }
