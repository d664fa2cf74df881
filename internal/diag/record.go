package diag

// Record is a diagnostic for programs.
type Record struct {
	Code     string `json:"code"`
	Severity string `json:"severity"` // error, warning or note
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
	Column   int    `json:"column,omitempty"`
	Summary  string `json:"summary"`
	Detail   string `json:"detail,omitempty"`
	Fix      string `json:"fix,omitempty"`
}

// Records are the diagnostics for programs, in their order; never nil.
func (l List) Records() []Record {
	out := []Record{}
	for _, d := range l {
		out = append(out, Record{
			Code: string(d.Code), Severity: d.Severity.String(), File: d.Pos.File, Line: d.Pos.Line, Column: d.Pos.Column,
			Summary: d.Summary, Detail: d.Detail, Fix: d.Fix,
		})
	}
	return out
}
