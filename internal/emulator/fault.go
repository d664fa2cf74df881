package emulator

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"kongctl/internal/contract"
)

// Faults says how the embedded Konnect misbehaves on purpose, in the words of
// the command line. The zero Faults is not at all.
type Faults struct {
	// Latency is how long every answer takes: 30ms or 30ms±10ms.
	Latency string `json:"latency,omitempty"`
	// Fault lists what goes wrong with which probability: 429:0.05,cut-after:0.01.
	Fault string `json:"fault,omitempty"`
	// Rate is how many requests are answered: 50/s or 2000/m.
	Rate string `json:"rate,omitempty"`
	// Lag is how old the state is that reads see.
	Lag string `json:"lag,omitempty"`
	// Seed makes chance repeatable; 0 is a new one each time.
	Seed uint64 `json:"seed,omitempty"`
	// On are the only operations that all of this is for: METHOD /path/{template}.
	On []string `json:"on,omitempty"`
}

// The names of faults that are not a status.
const (
	faultCutBefore = "cut-before"
	faultCutAfter  = "cut-after"
	faultSlow      = "slow"
	faultRate      = "rate"
)

// slowPause is how much longer a slow answer takes.
const slowPause = 2 * time.Second

// faultRules are Faults that were understood.
type faultRules struct {
	latency, jitter time.Duration
	chances         []odds
	rate            float64 // per second
	lag             time.Duration
	seed            uint64
	on              []string
}

// odds is a fault and how likely it is.
type odds struct {
	name        string
	status      int
	probability float64
}

// Check tells what is wrong with Faults; the error begins with the name of
// their field.
func (m Faults) Check(c *contract.Contract) error {
	_, err := m.parse(c)
	return err
}

func (m Faults) parse(c *contract.Contract) (out faultRules, err error) {
	out.seed = m.Seed
	if out.latency, out.jitter, err = parseLatency(m.Latency); err != nil {
		return out, fmt.Errorf("latency: %w", err)
	}
	if out.chances, err = parseOdds(m.Fault); err != nil {
		return out, fmt.Errorf("fault: %w", err)
	}
	if out.rate, err = parseRate(m.Rate); err != nil {
		return out, fmt.Errorf("rate: %w", err)
	}
	if out.lag, err = parseTime(m.Lag); err != nil {
		return out, fmt.Errorf("lag: %w", err)
	}
	for _, on := range m.On {
		method, path, _ := strings.Cut(strings.Join(strings.Fields(on), " "), " ")
		op := c.Operation(method, path)
		if op == nil {
			return out, fmt.Errorf("fault-on: %q is no operation of Konnect; write METHOD /path/{template}, for example POST /v3/apis", on)
		}
		out.on = append(out.on, op.Key())
	}
	return out, nil
}

// none tells that nothing goes wrong.
func (m faultRules) none() bool {
	return m.latency == 0 && m.jitter == 0 && len(m.chances) == 0 && m.rate == 0 && m.lag == 0
}

// meant tells whether an operation is one that misbehaves.
func (m faultRules) meant(op string) bool { return len(m.on) == 0 || slices.Contains(m.on, op) }

// burst is how many requests may come at once.
func (m faultRules) burst() float64 { return max(1, m.rate) }

func parseTime(text string) (time.Duration, error) {
	if text = strings.TrimSpace(text); text == "" {
		return 0, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return 0, fmt.Errorf("%q is no time; write for example 200ms or 1.5s", text)
	}
	return d, nil
}

func parseLatency(text string) (latency, jitter time.Duration, err error) {
	middle, around, _ := strings.Cut(strings.ReplaceAll(text, "+-", "±"), "±")
	if latency, err = parseTime(middle); err != nil {
		return 0, 0, err
	}
	if jitter, err = parseTime(around); err != nil {
		return 0, 0, err
	}
	if jitter > latency {
		return 0, 0, fmt.Errorf("%q: an answer cannot come before its request", text)
	}
	return latency, jitter, nil
}

func parseRate(text string) (float64, error) {
	if text = strings.TrimSpace(text); text == "" {
		return 0, nil
	}
	number, unit, _ := strings.Cut(text, "/")
	n, err := strconv.ParseFloat(number, 64)
	per := map[string]float64{"s": 1, "m": 60}[unit]
	if err != nil || !(n > 0) || per == 0 {
		return 0, fmt.Errorf("%q is no rate; write for example 50/s or 2000/m", text)
	}
	return n / per, nil
}

func parseOdds(text string) ([]odds, error) {
	var out []odds
	sum := 0.0
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' }) {
		name, p, _ := strings.Cut(part, ":")
		o := odds{name: name}
		if !slices.Contains([]string{faultCutBefore, faultCutAfter, faultSlow}, name) {
			status, err := strconv.Atoi(name)
			if err != nil || status < http.StatusBadRequest || status > 599 {
				return nil, fmt.Errorf("%q is no fault; there are the statuses from 400 to 599, %s, %s and %s", name, faultCutBefore, faultCutAfter, faultSlow)
			}
			o.status = status
		}
		var err error
		if o.probability, err = strconv.ParseFloat(p, 64); err != nil || !(o.probability >= 0 && o.probability <= 1) {
			return nil, fmt.Errorf("%q: the probability must be a number from 0 to 1, as in %s:0.05", part, name)
		}
		sum += o.probability
		out = append(out, o)
	}
	if sum > 1+1e-9 {
		return nil, fmt.Errorf("the probabilities add up to %g, which is more than 1", sum)
	}
	return out, nil
}
