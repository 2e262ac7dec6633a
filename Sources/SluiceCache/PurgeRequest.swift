/// Selects stored responses to remove, or to revalidate before they are used.
public struct PurgeRequest: Sendable, Equatable {
    public enum Selection: Sendable, Equatable {
        case everything
        /// By the binding's name, as the configuration writes it.
        case binding(String)
        /// One response, by its key.
        case key(CacheKey)
        /// All that were stored for this local target, whatever selected among them.
        case target([UInt8])
        case tag(String)
        /// All whose `Cache-Groups` has this name, of whatever upstream (RFC 9875 §2).
        case group([UInt8])
    }

    public var selection: Selection
    /// Marks the selected responses stale instead of removing them: they may be validated, or served where stale
    /// answers may be.
    public var isSoft: Bool

    public init(_ selection: Selection, isSoft: Bool = false) {
        self.selection = selection
        self.isSoft = isSoft
    }

    /// Whether a response with this key and label is selected.
    public func selects(_ key: CacheKey, _ label: EntryLabel) -> Bool {
        label.target.withUnsafeBytes { selects(key, label.source, target: $0, groups: label.groups) }
    }

    public func selects(_ entry: StoredResponse) -> Bool {
        selects(entry.key, entry.source, target: entry.target, groups: entry.groupNames)
    }

    private func selects(
        _ key: CacheKey, _ source: EntryLabel.Source?, target: UnsafeRawBufferPointer,
        groups: @autoclosure () -> [[UInt8]]
    ) -> Bool {
        switch selection {
        case .everything: true
        case .binding(let name): source?.binding == name
        case .key(let wanted): key == wanted
        case .target(let wanted): target.elementsEqual(wanted)
        case .tag(let tag): source?.tags.contains(tag) ?? false
        case .group(let name): groups().contains(name)
        }
    }
}
