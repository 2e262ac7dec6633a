/// How the text of a scalar becomes that of another one, where a type asks for it: `Date(seconds) -> Date`.
public enum Conversion: UInt8, Hashable, Sendable, BitwiseCopyable {
    /// A number becomes a string of the same digits, and the other way round.
    case quote, unquote
    case secondsToDate, millisecondsToDate
    case dateToSeconds, dateToMilliseconds

    /// - Returns: nil where there is no way from one to the other.
    public init?(from: Scalar, to: Scalar) {
        switch (from, to) {
        case (.int, .quoted(.int)), (.int, .string), (.double, .quoted(.double)), (.double, .string),
            (.decimal, .quoted(.decimal)), (.decimal, .string):
            self = .quote
        case (.quoted(.int), .int), (.quoted(.double), .double), (.quoted(.decimal), .decimal): self = .unquote
        case (.date(.seconds), .date(.iso8601)): self = .secondsToDate
        case (.date(.milliseconds), .date(.iso8601)): self = .millisecondsToDate
        case (.date(.iso8601), .date(.seconds)): self = .dateToSeconds
        case (.date(.iso8601), .date(.milliseconds)): self = .dateToMilliseconds
        default: return nil
        }
    }

    /// The way back.
    public var inverse: Conversion {
        switch self {
        case .quote: .unquote
        case .unquote: .quote
        case .secondsToDate: .dateToSeconds
        case .millisecondsToDate: .dateToMilliseconds
        case .dateToSeconds: .secondsToDate
        case .dateToMilliseconds: .millisecondsToDate
        }
    }
}
