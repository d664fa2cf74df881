package diag

import "sort"

// Code names one kind of diagnostic. Codes are never given a second meaning.
type Code string

// The codes. SRC: reading inputs; CFG: the configuration language; REF:
// references; VAL: values against Konnect's contract; LIVE: what exists; DECK: what
// decK brings about; EXT: what others own; FLT: what filters leave out; EXP: what
// an export cannot bring back; KUBE: objects of Kubernetes and their inventory;
// FN: functions over Kubernetes objects; POL: rules over plans; PATCH: patches of
// files; LINT: rules over files.
const (
	SrcUnreadable    Code = "SRC001"
	SrcSyntax        Code = "SRC002"
	SrcDuplicateKey  Code = "SRC003"
	SrcTooLarge      Code = "SRC004"
	SrcTooManyNodes  Code = "SRC005"
	SrcOutsideBase   Code = "SRC006"
	SrcUnknownTag    Code = "SRC007"
	SrcBadTag        Code = "SRC008"
	SrcFileMissing   Code = "SRC009"
	SrcExtract       Code = "SRC010"
	SrcNotASource    Code = "SRC011"
	SrcDeckFile      Code = "SRC012"
	SrcNothingFound  Code = "SRC013"
	SrcTagNesting    Code = "SRC014"
	SrcNotAMapping   Code = "SRC015"
	SrcURL           Code = "SRC017"
	SrcBadScalar     Code = "SRC018"
	SrcIgnorePattern Code = "SRC019"
	SrcCredential    Code = "SRC020"
	CfgUnknownRoot   Code = "CFG001"
	CfgUnknownKey    Code = "CFG002"
	CfgWrongShape    Code = "CFG003"
	CfgBadRef        Code = "CFG004"
	CfgDuplicateRef  Code = "CFG005"
	CfgDuplicate     Code = "CFG006"
	CfgIDGiven       Code = "CFG007"
	CfgNamespace     Code = "CFG008"
	CfgMeta          Code = "CFG009"
	CfgNoParent      Code = "CFG010"
	CfgNoIdentity    Code = "CFG011"
	CfgExternalOnly  Code = "CFG012"
	CfgEnvUnset      Code = "CFG014"
	CfgEnvPlace      Code = "CFG015"
	CfgSecretLiteral Code = "CFG016"
	CfgSecretPlace   Code = "CFG017"
	CfgReserved      Code = "CFG018"
	CfgReadOnly      Code = "CFG019"
	CfgNamespaceNeed Code = "CFG020"
	CfgFrontMatter   Code = "CFG021"
	CfgSecretUnknown Code = "CFG022"
	CfgMoved         Code = "CFG023"
	CfgIgnored       Code = "CFG024"
	CfgOlder         Code = "CFG025"
	CfgPlugin        Code = "CFG026"
	CfgPluginField   Code = "CFG027"
	RefUnknown       Code = "REF002"
	RefAmbiguous     Code = "REF001"
	RefKind          Code = "REF003"
	RefCycle         Code = "REF004"
	RefField         Code = "REF005"
	RefOtherParent   Code = "REF006"
	ValRequired      Code = "VAL001"
	ValType          Code = "VAL002"
	ValEnum          Code = "VAL003"
	ValPattern       Code = "VAL004"
	ValLength        Code = "VAL005"
	ValRange         Code = "VAL006"
	ValItems         Code = "VAL007"
	ValFormat        Code = "VAL008"
	ValUnion         Code = "VAL009"
	ValNull          Code = "VAL010"
	ValShownOnce     Code = "VAL011"
	LiveUnmanaged    Code = "LIVE001"
	LiveOtherSpace   Code = "LIVE002"
	LiveAmbiguous    Code = "LIVE003"
	LiveBothNames    Code = "LIVE005"
	LiveInUse        Code = "LIVE006"
	LiveTaken        Code = "LIVE007"
	LiveRequired     Code = "LIVE008"
	FilterNoMatch    Code = "FLT001"
	FilterType       Code = "FLT002"
	FilterParent     Code = "FLT003"
	FilterReference  Code = "FLT004"
	AllowNothing     Code = "FLT005"
	FolderUnread     Code = "FLT006"
	DeckNotAFile     Code = "DECK001"
	DeckFormat       Code = "DECK002"
	DeckTemplate     Code = "DECK003"
	DeckVariable     Code = "DECK004"
	DeckTwice        Code = "DECK005"
	DeckControlPlane Code = "DECK006"
	DeckFlag         Code = "DECK007"
	DeckWorkspace    Code = "DECK008"
	DeckTags         Code = "DECK009"
	DeckSecret       Code = "DECK010"
	DeckNoService    Code = "DECK011"
	DeckUnbounded    Code = "DECK012"
	DeckNoBinary     Code = "DECK013"
	DeckFailed       Code = "DECK014"
	DeckBinary       Code = "DECK015"
	DeckEntity       Code = "DECK016"
	DeckTwiceOne     Code = "DECK017"
	DeckPlugin       Code = "DECK018"
	DeckField        Code = "DECK019"
	DeckDuplicate    Code = "DECK020"
	DeckUnsupported  Code = "DECK021"
	ExtType          Code = "EXT001"
	ExtMissingParent Code = "EXT002"
	ExtWrongParent   Code = "EXT003"
	ExtCycle         Code = "EXT004"
	ExtNoMatch       Code = "EXT005"
	ExtManyMatches   Code = "EXT006"
	ExtNoParent      Code = "EXT007"
	ExtNoID          Code = "EXT008"
	ExtBlock         Code = "EXT009"
	ExtSelector      Code = "EXT010"
	ExtField         Code = "EXT011"
	ExtLookup        Code = "EXT012"
	ExtNoRef         Code = "EXT013"
	ExtDeck          Code = "EXT014"
	ExtProvider      Code = "EXT015"
	ExtManaged       Code = "EXT016"
	RefValue         Code = "REF007"
	ExpSecret        Code = "EXP001"
	ExpUnread        Code = "EXP002"
	ExpLeftOut       Code = "EXP003"
	ExpDiffers       Code = "EXP004"
	ExpTwin          Code = "EXP005"
	ExpUnmanaged     Code = "EXP006"
	ExpUnreadable    Code = "EXP007"
	ExpPartial       Code = "EXP008"
	ExpUnloadable    Code = "EXP009"
	ExpTooLarge      Code = "EXP010"
	KubeGroup        Code = "KUBE001"
	KubeManyGroups   Code = "KUBE002"
	KubeNoGroup      Code = "KUBE003"
	KubeTwoSources   Code = "KUBE004"
	KubeKptfile      Code = "KUBE005"
	KubeInventoryID  Code = "KUBE006"
	KubeConfigMap    Code = "KUBE007"
	KubeObject       Code = "KUBE008"
	KubeDependsOn    Code = "KUBE009"
	KubeUnknownKind  Code = "KUBE010"
	KubeRefused      Code = "KUBE012"
	KubeNotHere      Code = "KUBE014"
	KubeInUse        Code = "KUBE015"
	KubeNoNamespace  Code = "KUBE016"
	KubeLost         Code = "KUBE017"
	KubeNamespace    Code = "KUBE019"
	KubeUnbuilt      Code = "KUBE018"
	FnNotAnObject    Code = "FN001"
	FnPipeline       Code = "FN002"
	FnConfig         Code = "FN003"
	PolicyFile       Code = "POL001"
	PolicyRefused    Code = "POL002"
	PolicyUnanswered Code = "POL003"
	PatchFile        Code = "PATCH001"
	PatchNothing     Code = "PATCH002"
	LintRuleset      Code = "LINT001"
)

var summaries = map[Code]string{
	SrcUnreadable:    "input cannot be read",
	SrcSyntax:        "not valid YAML",
	SrcDuplicateKey:  "duplicate key",
	SrcTooLarge:      "file too large",
	SrcTooManyNodes:  "document too large",
	SrcOutsideBase:   "file outside the base folder",
	SrcUnknownTag:    "unknown tag",
	SrcBadTag:        "malformed tag",
	SrcFileMissing:   "file not found",
	SrcExtract:       "nothing to extract",
	SrcNotASource:    "not a configuration",
	SrcDeckFile:      "decK file given as configuration",
	SrcNothingFound:  "no configuration found",
	SrcTagNesting:    "tag not allowed here",
	SrcNotAMapping:   "document is not a mapping",
	SrcURL:           "URL cannot be read",
	SrcBadScalar:     "value has no JSON form",
	SrcIgnorePattern: "malformed pattern",
	SrcCredential:    "variable holds a credential of kongctl",
	CfgUnknownRoot:   "unknown collection",
	CfgUnknownKey:    "unknown field",
	CfgWrongShape:    "wrong shape",
	CfgBadRef:        "malformed ref",
	CfgDuplicateRef:  "duplicate ref",
	CfgDuplicate:     "resource declared twice",
	CfgIDGiven:       "id on a managed resource",
	CfgNamespace:     "malformed namespace",
	CfgMeta:          "malformed kongctl block",
	CfgNoParent:      "parent missing",
	CfgNoIdentity:    "resource without a name",
	CfgExternalOnly:  "resource managed elsewhere",
	CfgEnvUnset:      "environment variable not set",
	CfgEnvPlace:      "environment variable not allowed here",
	CfgSecretLiteral: "secret written in clear",
	CfgSecretPlace:   "secret in a plain field",
	CfgReserved:      "reserved label",
	CfgReadOnly:      "field is set by Konnect",
	CfgNamespaceNeed: "namespace required",
	CfgFrontMatter:   "front matter disagrees",
	CfgSecretUnknown: "no such secret",
	CfgMoved:         "rename cannot be planned",
	CfgIgnored:       "ignored field",
	CfgOlder:         "older form",
	CfgPlugin:        "unknown plugin",
	CfgPluginField:   "wrong field of a plugin",
	RefUnknown:       "unknown reference",
	RefAmbiguous:     "ambiguous reference",
	RefKind:          "reference to the wrong type",
	RefCycle:         "reference cycle",
	RefField:         "reference to an unknown field",
	RefOtherParent:   "reference to another parent's resource",
	ValRequired:      "required field missing",
	ValType:          "wrong type",
	ValEnum:          "value not allowed",
	ValPattern:       "value does not match its pattern",
	ValLength:        "text too short or too long",
	ValRange:         "number out of range",
	ValItems:         "too few or too many items",
	ValFormat:        "malformed value",
	ValUnion:         "no single variant fits",
	ValNull:          "null not allowed",
	ValShownOnce:     "generated secret is not kept",
	LiveUnmanaged:    "resource exists and is not managed",
	LiveOtherSpace:   "resource belongs to another namespace",
	LiveAmbiguous:    "several resources have this name",
	LiveBothNames:    "old and new name exist",
	LiveInUse:        "resource is in use",
	LiveTaken:        "value is taken",
	LiveRequired:     "requirement not met",
	FilterNoMatch:    "filter pattern matches nothing",
	FilterType:       "unknown type in a filter",
	FilterParent:     "parent is left out",
	FilterReference:  "reference to what is left out",
	AllowNothing:     "permission without effect",
	FolderUnread:     "folder is not read",
	DeckNotAFile:     "not a decK file",
	DeckFormat:       "unsupported format of decK",
	DeckTemplate:     "malformed template in a decK file",
	DeckVariable:     "variable of a decK file not set",
	DeckTwice:        "decK file for two control planes",
	DeckControlPlane: "decK file for another control plane",
	DeckFlag:         "flag of decK not allowed",
	DeckWorkspace:    "workspace in a decK file",
	DeckTags:         "select tags disagree",
	DeckSecret:       "secret in clear in a decK state",
	DeckNoService:    "service not found in the control plane",
	DeckUnbounded:    "select tags required",
	DeckNoBinary:     "deck binary not found on PATH",
	DeckFailed:       "deck failed",
	DeckBinary:       "deck binary cannot be used",
	DeckEntity:       "malformed entity in a decK file",
	DeckTwiceOne:     "decK twice for one control plane",
	DeckPlugin:       "wrong plugin in a decK file",
	DeckField:        "wrong field in a decK file",
	DeckDuplicate:    "duplicate entity in decK files",
	DeckUnsupported:  "not supported by Konnect",
	ExtType:          "unknown resource type",
	ExtMissingParent: "missing parent field",
	ExtWrongParent:   "wrong parent field",
	ExtCycle:         "external dependency cycle",
	ExtNoMatch:       "external selector matched 0 resources",
	ExtManyMatches:   "external selector matched N resources",
	ExtNoParent:      "external parent not found",
	ExtNoID:          "external id not found",
	ExtBlock:         "malformed external resource",
	ExtSelector:      "malformed selector",
	ExtField:         "field of an external resource",
	ExtManaged:       "managed and external at once",
	RefValue:         "reference to a value that does not fit",
	ExtLookup:        "lookup cannot be made",
	ExtNoRef:         "external resource without a ref",
	ExtDeck:          "malformed _deck block",
	ExtProvider:      "malformed deck provider",
	ExpSecret:        "secret is not exported",
	ExpUnread:        "field cannot be read back",
	ExpLeftOut:       "value cannot be declared",
	ExpDiffers:       "resource does not come back as it is",
	ExpTwin:          "resource left out",
	ExpUnmanaged:     "resources are not managed",
	ExpUnreadable:    "part of Konnect could not be read",
	ExpPartial:       "export is partial",
	ExpUnloadable:    "export does not load as it is",
	ExpTooLarge:      "export too large to be read",
	KubeGroup:        "malformed ResourceGroup",
	KubeManyGroups:   "several ResourceGroups",
	KubeNoGroup:      "no ResourceGroup",
	KubeTwoSources:   "ResourceGroup beside a Kptfile inventory",
	KubeKptfile:      "unusable Kptfile inventory",
	KubeInventoryID:  "unusable inventory id",
	KubeConfigMap:    "inventory in a ConfigMap",
	KubeObject:       "malformed Kubernetes object",
	KubeDependsOn:    "dependency outside of the objects",
	KubeUnknownKind:  "unknown kind",
	KubeRefused:      "object refused by the cluster",
	KubeNotHere:      "not a Kubernetes object",
	KubeInUse:        "object in use",
	KubeNoNamespace:  "no namespace for the inventory",
	KubeLost:         "inventory lost",
	KubeNamespace:    "namespace deleted with its content",
	KubeUnbuilt:      "folder is the input of another tool",
	FnNotAnObject:    "document is not a Kubernetes object",
	FnPipeline:       "malformed pipeline",
	FnConfig:         "malformed function configuration",
	PolicyFile:       "malformed policy",
	PolicyRefused:    "a rule of the policy is broken",
	PolicyUnanswered: "a rule of the policy cannot be answered",
	PatchFile:        "malformed patch file",
	PatchNothing:     "patch changes nothing",
	LintRuleset:      "malformed ruleset",
}

// Summary is the fixed summary of a code.
func Summary(c Code) string { return summaries[c] }

// Codes lists all codes in order.
func Codes() []Code {
	out := make([]Code, 0, len(summaries))
	for c := range summaries {
		out = append(out, c)
	}
	sort.Slice(out, func(i, j int) bool { return out[i] < out[j] })
	return out
}
