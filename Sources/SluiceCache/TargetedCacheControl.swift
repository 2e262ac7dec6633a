internal import SluiceContract
public import SluiceHTTP

/// Targeted cache control (RFC 9213): a field for this cache, or for caches beside the origin, in the place of
/// `Cache-Control` and `Expires`.
public enum TargetedCacheControl {
    /// In the order in which they are looked for (RFC 9213 §2.2).
    private static let targets: [StaticString] = ["sluice-cache-control", "cdn-cache-control"]

    /// The directives of the first target that is present, valid and not empty; nil where there is none.
    public static func find(in fields: borrowing HeaderBlock) -> CacheControl? {
        for target in targets {
            if let control = read(target, in: fields) { return control }
        }
        return nil
    }

    /// What different caches read, where an answer has to be right for all of them: the targets that ``find(in:)``
    /// looks for, in its order, and then `Cache-Control`.
    public static func readings(of fields: borrowing HeaderBlock) -> [CacheControl] {
        var readings: [CacheControl] = []
        for target in targets {
            if let control = read(target, in: fields) { readings.append(control) }
        }
        return readings + [CacheControl(fields)]
    }

    private static func read(_ target: StaticString, in fields: borrowing HeaderBlock) -> CacheControl? {
        let name = UnsafeRawBufferPointer(target)
        guard fields.firstIndex(of: name) != nil, let text = joined(name, fields),
            let members = StructuredField.dictionary(text), !members.isEmpty
        else { return nil }
        var control = CacheControl()
        for member in members { member.key.withUnsafeBytes { control.take($0, typed: member.value) } }
        return control
    }

    /// Whether a field of this name is one, for any cache.
    public static func isTarget(_ name: UnsafeRawBufferPointer) -> Bool {
        targets.contains { name.equalsIgnoringCase(UnsafeRawBufferPointer($0)) }
    }

    /// All lines of a field as one value (RFC 9651 §4.2).
    static func joined(_ name: UnsafeRawBufferPointer, _ fields: borrowing HeaderBlock) -> [UInt8]? {
        var text: [UInt8]?
        for index in 0..<fields.count where fields[index].id == .other {
            guard fields.name(index).equalsIgnoringCase(name) else { continue }
            text = text.map { $0 + [UInt8(ascii: ","), 0x20] + fields.value(index) } ?? Array(fields.value(index))
        }
        return text
    }
}
