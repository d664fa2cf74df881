package group

import (
	"bytes"
	"errors"
	"fmt"
	"os"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/disk"
	"github.com/kongctl/kongctl/internal/value"
)

// Migration moves the inventory of a Kptfile to a file of its own.
type Migration struct {
	Place
	// Name and Namespace are those of the new group; "" for those of the Kptfile.
	Name, Namespace string
	// Force overwrites a file, and gives the group another name than the Kptfile.
	Force bool

	path   string // of the Kptfile
	before []byte // the Kptfile
	rest   []byte // it without inventory
	data   []byte // the ResourceGroup
	old    existing
	done   bool // the file holds the group already
}

// Prepare reads and checks everything, and writes nothing. Reason says why there is
// nothing to migrate; it is "" where there is something.
func (m *Migration) Prepare() (out Written, reason string, err error) {
	out.Path = m.Shown(m.File)
	if err := m.check(); err != nil {
		return out, "", err
	}
	groups, old := m.beside()
	if len(old) > 0 {
		return out, "", diag.List{oldInventory(old[0])}.Err()
	}
	path, data, doc, err := m.kptfile()
	if err != nil {
		return out, "", err
	}
	m.path = path
	if data == nil {
		return out, m.Shown(path) + " does not exist", nil
	}
	inventory, found, diags := fromKptfile(doc, m.Name, m.Namespace)
	if !found {
		return out, m.Shown(path) + " has no inventory", nil
	}
	if err := m.Quote(diags).Err(); err != nil {
		return out, "", err
	}
	if out.Group, err = m.group(inventory); err != nil {
		return out, "", err
	}
	if err := m.prepareFiles(&out, data, doc); err != nil {
		return out, "", err
	}
	out.warnOf(groups)
	return out, "", nil
}

// Kptfile is the path of the Kptfile, for people.
func (m *Migration) Kptfile() string { return m.Shown(m.path) }

// group is the inventory as a ResourceGroup.
func (m *Migration) group(inventory File) (File, error) {
	out := inventory
	out.Kptfile = false
	for _, part := range []struct {
		flag, given string
		to          *string
	}{{"--name", m.Name, &out.Name}, {"--namespace", m.Namespace, &out.Namespace}} {
		if part.given == "" || part.given == *part.to {
			continue
		}
		if *part.to != "" && !m.Force {
			return File{}, &RefusedError{
				fmt.Sprintf("%s %s: the Kptfile says %s, and the cluster has the inventory under that name", part.flag, part.given, *part.to),
				"leave the flag out, or pass --force if the inventory was never applied",
			}
		}
		*part.to = part.given
	}
	return out, nil
}

func (m *Migration) prepareFiles(out *Written, kptfile []byte, doc value.Value) error {
	rest, section, err := cut(kptfile, doc)
	if err != nil {
		return m.Quote(diag.List{diag.New(diag.KubeKptfile, doc.KeyPos("inventory"), fmt.Sprintf("The section inventory cannot be removed without changing the rest of the file: %v.", err),
			"write the Kptfile in block style, and what the aliases stand for in their place.")}).Err()
	}
	if m.data, err = format(out.Group, section); err != nil {
		return err
	}
	m.before, m.rest = kptfile, rest
	if m.old, err = m.existing(); err != nil {
		return err
	}
	if m.done = m.old.group != nil && len(m.old.others) == 0 && m.old.group.covers(out.Group); !m.done {
		if err := m.overwrite(m.old, m.Force); err != nil {
			return err
		}
		out.replace(m.old.group)
	}
	_, err = disk.Replaceable(m.path)
	return err
}

// covers reports whether a file says all that the group needs.
func (f File) covers(g File) bool {
	return f.same(g) && contains(f.Labels, g.Labels) && contains(f.Annotations, g.Annotations) && contains(f.local, g.local)
}

func contains(all, some map[string]string) bool {
	for k, v := range some {
		if got, ok := all[k]; !ok || got != v {
			return false
		}
	}
	return true
}

// Run writes what Prepare found: both files, or none. Where it is killed between the
// two, the next one finds the new file complete and only changes the Kptfile.
func (m *Migration) Run() error {
	if err := disk.Writable(m.path); err != nil {
		return err
	}
	if now, err := m.read(m.path); err != nil || !bytes.Equal(now, m.before) {
		return errors.Join(err, fmt.Errorf("%s has just been changed; run the command again", m.Kptfile()))
	}
	if !m.done {
		if err := m.write(m.old, m.data); err != nil {
			return err
		}
	}
	err := disk.Replace(m.path, m.rest)
	if err != nil && !m.done {
		err = errors.Join(err, m.undo())
	}
	return err
}

// undo puts the file of the ResourceGroup back.
func (m *Migration) undo() error {
	if m.old.data != nil {
		return disk.Replace(m.File, m.old.data)
	}
	return os.Remove(m.File)
}
