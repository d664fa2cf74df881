package main

import (
	"io"
	"io/fs"

	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/deb" // registers the format
	"github.com/goreleaser/nfpm/v2/files"
	_ "github.com/goreleaser/nfpm/v2/rpm" // registers the format
)

// packages makes the packages of Linux distributions.
func (r *release) packages(t target, binary string) error {
	p := r.project.NFPMs[0]
	for _, format := range p.Formats {
		packager, err := nfpm.Get(format)
		if err != nil {
			return err
		}
		contents := files.Contents{{Source: binary, Destination: p.Bindir + "/" + r.project.Builds[0].Binary, FileInfo: r.file(0o755)}}
		for _, c := range p.Contents {
			contents = append(contents, &files.Content{Source: c.Source, Destination: c.Destination, FileInfo: r.file(0o644)})
		}
		info := nfpm.WithDefaults(&nfpm.Info{
			Name: p.PackageName, Arch: t.arch, Platform: t.os, Version: r.version,
			Section: p.Section, Maintainer: p.Maintainer, Vendor: p.Vendor, Description: p.Description, License: p.License,
			MTime: r.date,
			Overridables: nfpm.Overridables{
				Contents: contents,
				RPM:      nfpm.RPM{BuildHost: "localhost"},
			},
		})
		if err := nfpm.PrepareForPackager(info, format); err != nil {
			return err
		}
		name := packager.ConventionalFileName(info)
		if err := r.artifact(name, func(w io.Writer) error { return packager.Package(info, w) }); err != nil {
			return err
		}
	}
	return nil
}

func (r *release) file(mode fs.FileMode) *files.ContentFileInfo {
	return &files.ContentFileInfo{Mode: mode, MTime: r.date, Owner: "root", Group: "root"}
}
