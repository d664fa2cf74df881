package object

// Annotations and labels that this program shares with kpt.
const (
	// Owner is the annotation with the id of the inventory that owns an object.
	Owner = "config.k8s.io/owning-inventory"
	// InventoryID is the label of a ResourceGroup with the id of the inventory.
	InventoryID = "cli-utils.sigs.k8s.io/inventory-id"
	// DependsOn lists objects that must be ready before.
	DependsOn = "config.kubernetes.io/depends-on"
	// Mutation asks for values of other objects when the object is applied.
	Mutation = "config.kubernetes.io/apply-time-mutation"
	// LocalConfig marks an object that is not applied, with any value but "false".
	LocalConfig = "config.kubernetes.io/local-config"
	// Ref names an object in references.
	Ref = "kongctl.konghq.com/ref"
)

// How an object asks to be treated.
const (
	OnDelete      = "client.lifecycle.config.k8s.io/deletion" // with Detach: kept
	Detach        = "detach"
	OnRemove      = "cli-utils.sigs.k8s.io/on-remove" // with Keep: kept
	Keep          = "keep"
	OnMutate      = "client.lifecycle.config.k8s.io/mutation" // with Ignore: left alone
	Ignore        = "ignore"
	GroupVersion  = "kpt.dev/v1alpha1" // of a ResourceGroup
	GroupKind     = "ResourceGroup"
	KptfileKind   = "Kptfile"
	GroupAPIGroup = "kpt.dev"
)

// Kept is why an object with these annotations is kept when it leaves the set, ""
// where it is deleted.
func Kept(annotations map[string]string) string {
	switch {
	case annotations[OnDelete] == Detach:
		return "it has the annotation " + OnDelete + ": " + Detach
	case annotations[OnRemove] == Keep:
		return "it has the annotation " + OnRemove + ": " + Keep
	default:
		return ""
	}
}

// IsGroup reports whether an object is a ResourceGroup, whatever its file is
// called.
func IsGroup(apiVersion, kind string) bool { return apiVersion == GroupVersion && kind == GroupKind }
