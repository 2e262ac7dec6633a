/// Types that a probe knows without asking them, because their values hold others: what they hold, and a value to go on
/// with.
protocol ProbedContainer {
    static var probed: ProbedKind { get }
    /// A value that holds none of the others, so that no type can be endless.
    static var blank: Self { get }
}

/// What such a type is.
enum ProbedKind {
    case optional(any Decodable.Type)
    case list(any Decodable.Type)
    case dictionary(key: Any.Type, value: any Decodable.Type)
}

extension Optional: ProbedContainer where Wrapped: Decodable {
    static var probed: ProbedKind { .optional(Wrapped.self) }
    static var blank: Self { nil }
}

extension Array: ProbedContainer where Element: Decodable {
    static var probed: ProbedKind { .list(Element.self) }
    static var blank: Self { [] }
}

extension ContiguousArray: ProbedContainer where Element: Decodable {
    static var probed: ProbedKind { .list(Element.self) }
    static var blank: Self { [] }
}

extension Set: ProbedContainer where Element: Decodable {
    static var probed: ProbedKind { .list(Element.self) }
    static var blank: Self { [] }
}

extension Dictionary: ProbedContainer where Key: Decodable, Value: Decodable {
    static var probed: ProbedKind { .dictionary(key: Key.self, value: Value.self) }
    static var blank: Self { [:] }
}

/// An enum whose cases are known, and how each is written.
struct ProbedCases {
    /// As JSON has them: `"red"`, `1`.
    let texts: [String]
    /// The same as strings; nil where they are numbers.
    let strings: [String]?
    let values: [any Decodable]

    /// - Returns: nil for a type that is no enum, has no raw values, or does not tell its cases.
    init?(_ type: any Decodable.Type) {
        guard let listed = type as? any (CaseIterable & RawRepresentable).Type, let cases = Self.cases(of: listed)
        else {
            return nil
        }
        let raw = cases.map(\.raw)
        if let strings = raw as? [String] {
            (texts, self.strings) = (strings.map { "\"\($0)\"" }, strings)
        } else if raw.allSatisfy({ $0 is any BinaryInteger }) {
            (texts, strings) = (raw.map { "\($0)" }, nil)
        } else {
            return nil
        }
        values = cases.compactMap { $0.value as? any Decodable }
        if values.count != texts.count || values.isEmpty { return nil }
    }

    private static func cases<Listed: CaseIterable & RawRepresentable>(
        of type: Listed.Type
    ) -> [(value: Any, raw: Any)]? {
        type.allCases.map { ($0, $0.rawValue) }
    }
}
