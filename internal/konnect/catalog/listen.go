package catalog

import (
	"net/netip"
	"strconv"
	"strings"
)

// maxPort is the highest port.
const maxPort = 65535

// portRange reads a port, or the first and the last of several.
func portRange(text string) (first, last int, ok bool) {
	from, to, isRange := strings.Cut(text, "-")
	if !isRange {
		to = from
	}
	first, err := strconv.Atoi(from)
	last, second := strconv.Atoi(to)
	return first, last, err == nil && second == nil
}

// isPortRange reports whether all ports of a range exist, the lower one first.
func isPortRange(text string) bool {
	first, last, ok := portRange(text)
	return ok && first >= 1 && first <= last && last <= maxPort
}

// portFix is what to write in place of a range. One that is only the wrong way round
// is turned.
func portFix(text string) string {
	if first, last, ok := portRange(text); ok && last >= 1 && last < first && first <= maxPort {
		return "write the lower port first: " + strconv.Itoa(last) + "-" + strconv.Itoa(first)
	}
	return "write a port from 1 to 65535, or a range of them: 9092-9095"
}

// isAddressRange reports whether a text is an IP address or a block of them.
func isAddressRange(text string) bool {
	address, err := netip.ParseAddr(text)
	_, second := netip.ParsePrefix(text)
	return err == nil && address.Zone() == "" || second == nil
}

// isEveryAddress reports whether an address stands for all of a host.
func isEveryAddress(text string) bool { return text == "0.0.0.0" || text == "::" }
