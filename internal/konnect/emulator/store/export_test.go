package store

// Break lets a bolt store's next write fail.
func Break(s Store) error { return s.(*boltStore).db.Close() }
