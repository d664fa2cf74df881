package emulator

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kongctl/kongctl/internal/konnect/contract"
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
	// Lists with something wrong: without items, with null in their place, and
	// with the first page in place of another.
	faultCutPage    = "cut-page"
	faultNullData   = "null-data"
	faultRepeatPage = "repeat-page"
	// faultNoUnique is not a matter of chance: names may be taken twice.
	faultNoUnique = "no-unique"
	// afterSuffix makes a fault of a status that comes after the request was
	// carried out.
	afterSuffix = "-after"
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
	noUnique        bool
}

// odds is a fault and how likely it is.
type odds struct {
	name        string
	status      int
	after       bool // the request is carried out
	probability float64
}

// Check returns what is wrong with Faults; the error begins with the name of
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
	if out.chances, out.noUnique, err = parseOdds(m.Fault); err != nil {
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

// none reports whether nothing goes wrong.
func (m faultRules) none() bool {
	return m.latency == 0 && m.jitter == 0 && len(m.chances) == 0 && m.rate == 0 && m.lag == 0 && !m.noUnique
}

// meant reports whether an operation is one that misbehaves.
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

// parseOdds reads a list of faults, and whether names may be taken twice.
func parseOdds(text string) (out []odds, noUnique bool, err error) {
	sum := 0.0
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' }) {
		name, p, _ := strings.Cut(part, ":")
		if name == faultNoUnique {
			if p != "" {
				return nil, false, fmt.Errorf("%q: %s takes no probability", part, name)
			}
			noUnique = true
			continue
		}
		o, err := parseFault(name)
		if err != nil {
			return nil, false, err
		}
		if o.probability, err = strconv.ParseFloat(p, 64); err != nil || !(o.probability >= 0 && o.probability <= 1) {
			return nil, false, fmt.Errorf("%q: the probability must be a number from 0 to 1, as in %s:0.05", part, name)
		}
		sum += o.probability
		out = append(out, o)
	}
	if sum > 1+1e-9 {
		return nil, false, fmt.Errorf("the probabilities add up to %g, which is more than 1", sum)
	}
	return out, noUnique, nil
}

// chanceFaults are the faults with a name that come by chance.
func chanceFaults() []string {
	return []string{faultCutBefore, faultCutAfter, faultSlow, faultCutPage, faultNullData, faultRepeatPage}
}

// FaultWords returns what a fault in a list begins with; of the statuses only those
// that people often want.
func FaultWords() []string {
	out := []string{"429:", "500:", "503:", "503" + afterSuffix + ":"}
	for _, name := range chanceFaults() {
		out = append(out, name+":")
	}
	return append(out, faultNoUnique)
}

// parseFault reads the name of a fault: a status, one that comes after the
// request was carried out, or a word.
func parseFault(name string) (odds, error) {
	o := odds{name: name}
	if slices.Contains(chanceFaults(), name) {
		return o, nil
	}
	lowest := http.StatusBadRequest
	digits, after := strings.CutSuffix(name, afterSuffix)
	if after {
		lowest = http.StatusInternalServerError
	}
	status, err := strconv.Atoi(digits)
	if err != nil || status < lowest || status > 599 {
		return o, fmt.Errorf("unknown fault %q: use a status from 400 to 599, a status from 500 to 599 with %s, %s or %s", name, afterSuffix, strings.Join(chanceFaults(), ", "), faultNoUnique)
	}
	o.status, o.after = status, after
	return o, nil
}
