/// One thing that is wrong or odd in a gateway that a program put together.
public struct GatewayMistake: Sendable, Hashable, CustomStringConvertible {
    /// `FruitStand.fruits`; nil for what concerns no single property.
    public var property: String?
    /// What is wrong, what would be right, and what to do.
    public var text: String

    public var description: String { property.map { "\($0): \(text)" } ?? text }
}

/// Why a gateway does not run.
public enum GatewayError: Error, Sendable, CustomStringConvertible {
    /// What the program declares cannot be served.
    case mistakes([GatewayMistake])
    /// An address cannot be listened on, a file not be read.
    case start(String)
    /// It was told to end, and some requests were not finished in time.
    case unfinished

    public var description: String {
        switch self {
        case .mistakes(let mistakes): mistakes.map(\.description).joined(separator: "\n")
        case .start(let reason): reason
        case .unfinished: "some requests were not finished in the time that 'drain' gives them"
        }
    }
}
