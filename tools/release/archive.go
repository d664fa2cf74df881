package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// member is a file of an archive.
type member struct {
	from, name string
	mode       int64
}

// archive packs the program with what people read and shells use.
func (r *release) archive(t target, binary string) error {
	a := r.project.Archives[0]
	members := []member{{binary, filepath.Base(binary), 0o755}}
	for _, f := range a.Files {
		found, err := filepath.Glob(f.Source)
		if err != nil || len(found) == 0 {
			return fmt.Errorf("no file matches %s (%v); run make manual", f.Source, err)
		}
		slices.Sort(found)
		for _, from := range found {
			members = append(members, member{from, path.Join(f.Destination, filepath.Base(from)), 0o644})
		}
	}
	name, err := r.expand(a.NameTemplate, t)
	if err != nil {
		return err
	}
	format := a.Formats[0]
	for _, o := range a.FormatOverrides {
		if o.Goos == t.os {
			format = o.Formats[0]
		}
	}
	write := r.tarball
	if format == "zip" {
		write = r.zipped
	}
	return r.artifact(name+"."+format, func(w io.Writer) error { return write(w, members) })
}

func (r *release) tarball(w io.Writer, members []member) error {
	packed, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	out := tar.NewWriter(packed)
	for _, m := range members {
		raw, err := os.ReadFile(m.from)
		if err != nil {
			return err
		}
		if err := out.WriteHeader(&tar.Header{Name: m.name, Mode: m.mode, Size: int64(len(raw)), ModTime: r.date}); err != nil {
			return err
		}
		if _, err := out.Write(raw); err != nil {
			return err
		}
	}
	if err := out.Close(); err != nil {
		return err
	}
	return packed.Close()
}

func (r *release) zipped(w io.Writer, members []member) error {
	out := zip.NewWriter(w)
	for _, m := range members {
		raw, err := os.ReadFile(m.from)
		if err != nil {
			return err
		}
		header := &zip.FileHeader{Name: strings.TrimPrefix(m.name, "/"), Method: zip.Deflate, Modified: r.date}
		header.SetMode(os.FileMode(m.mode))
		f, err := out.CreateHeader(header)
		if err != nil {
			return err
		}
		if _, err := f.Write(raw); err != nil {
			return err
		}
	}
	return out.Close()
}
