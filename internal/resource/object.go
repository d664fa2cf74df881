package resource

import "time"

// Object is a resource as it is.
type Object struct {
	ID string
	// Ref is what the target calls it where nothing declares it; "" leaves it to
	// the core.
	Ref string
	// Fields are in the form of requests; what is only returned is there too.
	Fields map[string]any
	Owner  Owner
	// Older are the ids of its versions before this one, the newest first: what
	// refers to one of them refers to the resource, and stays with it.
	Older []string
	// Lacks is a field of the identity that it does not have, and may lack: no
	// declaration leads to it. "" where it has all.
	Lacks string
	// System reports that the target made it by itself.
	System bool
	// Native is what the target alone knows of it.
	Native any
}

// Owner says who manages an object: how it is marked is the target's.
type Owner struct {
	// Namespace is empty where nobody manages it.
	Namespace, Hash string
	Protected       bool
	At              time.Time
}
