/// What the gateway's cache may do for a request: `@RequestCachePolicy var cache = .reload`.
@propertyWrapper
public struct RequestCachePolicy: Sendable, RequestPart {
    /// What the cache may do.
    public var wrappedValue: CachePolicy

    /// What the binding says, where the property has no value.
    public init(wrappedValue: CachePolicy = .useProtocolCachePolicy) {
        self.wrappedValue = wrappedValue
    }

    func contribute(as property: String, to parts: inout RequestParts) {
        if let directive = wrappedValue.directive { parts.fields.append(CallField("Cache-Control", directive)) }
    }
}
