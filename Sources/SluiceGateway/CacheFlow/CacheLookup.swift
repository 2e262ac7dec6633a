internal import SluiceCache

/// What was looked for, and what was found.
struct CacheLookup {
    /// Before any `Vary`.
    var primary: CacheKey
    var key: CacheKey
    var entry: StoredResponse?

    /// Why the upstream is asked where there is no entry.
    var missReason: Reuse.Reason { key != primary ? .varyMiss : .uriMiss }
}
