import SluiceJSON

/// A setting that a reload has changed.
public struct ConfigurationChange: Equatable, Sendable {
    public var key: String
    /// As the explained configuration writes it; nil where there was none.
    public var before: String?
    public var after: String?

    public init(key: String, before: String?, after: String?) {
        self.key = key
        self.before = before
        self.after = after
    }

    /// The differences between two explained configurations, in the order of the new one; removed settings come last.
    public static func between(
        _ old: [(key: String, value: String)], _ new: [(key: String, value: String)]
    ) -> [ConfigurationChange] {
        var left = Dictionary(old.map { ($0.key, $0.value) }) { first, _ in first }
        var changes: [ConfigurationChange] = []
        for setting in new {
            let before = left.removeValue(forKey: setting.key)
            if before != setting.value {
                changes.append(ConfigurationChange(key: setting.key, before: before, after: setting.value))
            }
        }
        for setting in old {
            guard let before = left.removeValue(forKey: setting.key) else { continue }
            changes.append(ConfigurationChange(key: setting.key, before: before, after: nil))
        }
        return changes
    }

    var json: JSONValue {
        func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
        return .object([("key", .string(key)), ("before", text(before)), ("after", text(after))])
    }
}
