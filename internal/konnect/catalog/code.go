package catalog

import (
	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/contract"
)

// Code is the code of the diagnostic for a rule of the contract that a value breaks.
func Code(rule contract.Rule) diag.Code {
	switch rule {
	case contract.RuleRequired:
		return diag.ValRequired
	case contract.RuleType:
		return diag.ValType
	case contract.RuleNull:
		return diag.ValNull
	case contract.RuleEnum:
		return diag.ValEnum
	case contract.RulePattern:
		return diag.ValPattern
	case contract.RuleLength:
		return diag.ValLength
	case contract.RuleRange:
		return diag.ValRange
	case contract.RuleItems:
		return diag.ValItems
	case contract.RuleUnion, contract.RuleUnknown: // unknown everywhere is reported before
		return diag.ValUnion
	case contract.RuleFormat, contract.RuleOther:
		return diag.ValFormat
	default:
		return diag.ValFormat
	}
}
