public import SluiceHTTP

/// Cache groups (RFC 9875): answers that are invalidated together.
public enum CacheGroups {
    /// Groups of one response, and the bytes of one name, that are looked at (RFC 9875 §2).
    private static let groupsMax = 32
    private static let nameBytesMax = 32

    /// `Cache-Groups` of a stored response.
    public static func members(_ fields: borrowing HeaderBlock) -> [[UInt8]] { names("cache-groups", fields) }

    /// `Cache-Group-Invalidation` of the response to an unsafe request.
    public static func invalidated(_ fields: borrowing HeaderBlock) -> [[UInt8]] {
        names("cache-group-invalidation", fields)
    }

    private static func names(_ name: String, _ fields: borrowing HeaderBlock) -> [[UInt8]] {
        let text = Array(name.utf8).withUnsafeBytes { TargetedCacheControl.joined($0, fields) }
        guard let text, let items = StructuredField.list(text) else { return [] }
        var groups: [[UInt8]] = []
        for item in items {
            guard case .string(let group) = item else { return [] }
            if groups.count < groupsMax, group.count <= nameBytesMax { groups.append(group) }
        }
        return groups
    }
}
