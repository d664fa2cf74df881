package group

import (
	"fmt"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/value"
)

// Found is all that could name the inventory of a run.
type Found struct {
	// Groups are the ResourceGroups of the input and of the file that --rg-file
	// names, each document once.
	Groups []File
	// Kptfiles are inventories of Kptfiles: of the folder that is read; where
	// standard input is, of the current folder and of the stream.
	Kptfiles []File
	// Stdin reports that the objects come from standard input.
	Stdin bool
	// Flag is the file that --rg-file names, as positions call it; "" where the flag
	// was not given.
	Flag string
	// Dir is the folder that is read, for people; "" for the current one.
	Dir string
	// Nearby reports that the current folder has a resourcegroup.yaml that was not
	// read.
	Nearby bool
	// Object is where the first object stands that was found beside documents of
	// others; zero where objects were asked for.
	Object value.Pos
	// ConfigMaps are where inventories of old versions of kpt were found.
	ConfigMaps []value.Pos

	problems map[value.Pos]diag.List
}

// Add takes a document that says something about the inventory, and reports
// whether it is one that is never applied: a ResourceGroup or a Kptfile.
func (f *Found) Add(v value.Value) bool {
	switch {
	case IsGroup(v):
		group, diags := FromValue(v)
		f.Groups = append(f.Groups, group)
		f.note(group, diags)
	case IsKptfile(v):
		if inventory, found, diags := FromKptfile(v); found {
			f.Kptfiles = append(f.Kptfiles, inventory)
			f.note(inventory, diags)
		}
	case IsConfigMap(v):
		f.ConfigMaps = append(f.ConfigMaps, v.Pos())
		return false
	default:
		return false
	}
	return true
}

func (f *Found) note(file File, diags diag.List) {
	if f.problems == nil {
		f.problems = map[value.Pos]diag.List{}
	}
	f.problems[file.Pos] = diags
}

// Choose returns the one group that a run works with, or why there is no such group.
func Choose(f Found) (File, diag.List) {
	if f.Flag != "" && !f.has(f.Flag) {
		return File{}, diag.List{diag.New(diag.KubeNoGroup, value.Pos{File: f.Flag},
			"The file that --rg-file names holds no ResourceGroup.", "name the file that does, or write one: "+f.command("init")+".")}
	}
	var diags diag.List
	for _, g := range f.Groups {
		diags = append(diags, f.problems[g.Pos]...)
	}
	if len(f.Groups) > 1 {
		diags.Add(diag.KubeManyGroups, f.Groups[1].Pos,
			fmt.Sprintf("%d ResourceGroups were found, and a run has exactly one:\n%s", len(f.Groups), listed(f.Groups)), f.keepOne())
	}
	switch {
	case len(diags) > 0:
		return File{}, diags
	case len(f.Groups) == 0:
		return f.none()
	default:
		return f.one(f.Groups[0])
	}
}

// has reports whether a group is in the file.
func (f Found) has(file string) bool {
	for _, g := range f.Groups {
		if g.Pos.File == file {
			return true
		}
	}
	return false
}

// one is the only group, unless a Kptfile names an inventory, too.
func (f Found) one(group File) (File, diag.List) {
	if f.Flag != "" {
		return group, nil
	}
	for _, k := range f.Kptfiles {
		if f.Stdin && (k.Pos.File != group.Pos.File || k.same(group)) {
			continue // a folder that standard input does not come from, or one inventory twice
		}
		fix := "finish the move to the ResourceGroup: " + f.command("migrate") + "; or pass --rg-file to ignore the Kptfile."
		if f.Stdin {
			fix = "leave one of the two out of standard input, or pass --rg-file to ignore the Kptfile."
		} else if !k.same(group) {
			fix = "remove one of the two, or pass --rg-file to ignore the Kptfile."
		}
		return File{}, diag.List{diag.New(diag.KubeTwoSources, group.Pos, "A ResourceGroup and a Kptfile both name an inventory:\n"+listed([]File{group, k}), fix)}
	}
	return group, nil
}

// none is the inventory of the folder's Kptfile, or what to do.
func (f Found) none() (File, diag.List) {
	nearby := ""
	if f.Nearby {
		// A bare name would lie in the folder that is read.
		nearby = "; or pass --rg-file ./" + DefaultFile
		if f.Stdin {
			nearby = "; or pass --rg-file " + DefaultFile
		}
	}
	switch {
	case len(f.Kptfiles) == 0 && len(f.ConfigMaps) > 0:
		return File{}, diag.List{oldInventory(f.ConfigMaps[0])}
	case len(f.Kptfiles) == 0 && f.Object != value.Pos{}:
		return File{}, diag.List{diag.New(diag.KubeNoGroup, f.Object, "This is a Kubernetes object, and no ResourceGroup says which inventory it belongs to.",
			"run kongctl live init, and name the file with --rg-file"+nearby+"; or leave the object out with --exclude "+f.Object.File+" or a line in .kongctlignore.")}
	case len(f.Kptfiles) == 0 && f.Stdin:
		return File{}, diag.List{diag.New(diag.KubeNoGroup, value.Pos{}, "Standard input holds no ResourceGroup, so nothing says which inventory to use.",
			"run kongctl live init, and add the file to what is piped in or name it with --rg-file"+nearby+".")}
	case len(f.Kptfiles) == 0:
		return File{}, diag.List{diag.New(diag.KubeNoGroup, value.Pos{File: f.Dir}, "The folder holds no ResourceGroup, so nothing says which inventory to use.",
			"run "+f.command("init")+nearby+".")}
	case f.Stdin:
		return File{}, diag.List{diag.New(diag.KubeNoGroup, f.Kptfiles[0].Pos,
			"Standard input holds no ResourceGroup. A Kptfile has an inventory, which is used for folders only:\n"+listed(f.Kptfiles),
			"run kongctl live migrate in the folder of the Kptfile, and pass the new file with --rg-file"+nearby+".")}
	case len(f.Kptfiles) > 1:
		return File{}, diag.List{diag.New(diag.KubeManyGroups, f.Kptfiles[1].Pos, "Several Kptfiles name an inventory:\n"+listed(f.Kptfiles), "keep one.")}
	default:
		if problems := f.problems[f.Kptfiles[0].Pos]; len(problems) > 0 {
			return File{}, problems
		}
		return f.Kptfiles[0], nil
	}
}

// oldInventory refuses an inventory that only kpt can move.
func oldInventory(pos value.Pos) diag.Diagnostic {
	return diag.New(diag.KubeConfigMap, pos, "The inventory is a ConfigMap, as old versions of kpt kept it.",
		"move it to a ResourceGroup with kpt live migrate, then run kongctl live migrate.")
}

func (f Found) keepOne() string {
	if f.Flag != "" {
		return "keep one of them; that of --rg-file counts, too."
	}
	return "keep one of them."
}

// command is how a verb is called for the folder.
func (f Found) command(verb string) string {
	if f.Dir == "" || f.Dir == "." || f.Stdin {
		return "kongctl live " + verb
	}
	return "kongctl live " + verb + " " + f.Dir
}

// same reports whether two files name one inventory.
func (f File) same(g File) bool {
	return f.Name == g.Name && f.Namespace == g.Namespace && f.ID == g.ID
}

// listed shows groups, a line each, with their places.
func listed(groups []File) string {
	lines := make([]string, len(groups))
	for i, g := range groups {
		lines[i] = fmt.Sprintf("  %s (%s)", g, g.Pos)
	}
	return strings.Join(lines, "\n")
}
