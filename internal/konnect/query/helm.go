package query

import "errors"

// Helm is the answer as values of a Helm chart.
func (a *Answer) Helm() (map[string]any, error) {
	switch {
	case a.Type == nil || a.Type.Helm == nil:
		return nil, errors.New("there is no Helm chart for it")
	case !a.One:
		return nil, errors.New("a chart is for one of them")
	}
	return a.Type.Helm(a.Bodies[0])
}
