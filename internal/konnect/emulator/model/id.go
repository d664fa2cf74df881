package model

import (
	"math/big"
	"regexp"

	"github.com/google/uuid"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
)

// digits are those of a ULID, in which 26 of them stand for the bits of a UUID.
const digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// idOf is an id in the form that resources of a type have: a UUID, or a ULID where
// the contract asks for one.
func idOf(b *catalog.Bound, id string) string {
	s := b.Returned().At([]string{"id"}, nil)
	if s == nil || s.Pattern == "" || regexp.MustCompile(s.Pattern).MatchString(id) {
		return id
	}
	raw, err := uuid.Parse(id)
	if err != nil {
		raw = uuid.NewSHA1(uuid.Nil, []byte(id))
	}
	n, low := new(big.Int).SetBytes(raw[:]), big.NewInt(int64(len(digits)-1))
	out := make([]byte, 26)
	for i := range out {
		out[len(out)-1-i] = digits[new(big.Int).And(n, low).Int64()]
		n.Rsh(n, 5)
	}
	return string(out)
}
