/// Which stored responses are to go, or to be asked for again before they are used.
public struct PurgeRequest: Sendable, Equatable {
    public enum Selection: Sendable, Equatable {
        case everything
        /// By the binding's name, as the configuration writes it.
        case binding(String)
        /// One response, by what it is found by.
        case key(CacheKey)
        /// All that were stored for this local target, whatever selected among them.
        case target([UInt8])
        case tag(String)
    }

    public var selection: Selection
    /// Marks what is selected stale instead of removing it: it may be validated, or served where stale answers may be.
    public var isSoft: Bool

    public init(_ selection: Selection, isSoft: Bool = false) {
        self.selection = selection
        self.isSoft = isSoft
    }

    /// Whether a response of this key and label is meant.
    public func selects(_ key: CacheKey, _ label: EntryLabel) -> Bool {
        switch selection {
        case .everything: true
        case .binding(let name): label.source?.binding == name
        case .key(let wanted): key == wanted
        case .target(let target): label.target == target
        case .tag(let tag): label.source?.tags.contains(tag) ?? false
        }
    }
}
