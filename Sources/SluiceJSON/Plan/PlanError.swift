/// Why extractions cannot be compiled: a mistake in the configuration.
public enum PlanError: Error, Hashable, Sendable {
    /// A name that `types:` does not define.
    case unknownType(String)
    /// A name whose definition leads back to itself through other names alone.
    case circularAlias(String)
    /// A union has two alternatives that nothing in JSON tells apart.
    case ambiguousUnion(String)
    /// A path with `*` collects an array, so its type has to be one.
    case wildcardNeedsArray(String)
    /// Two fields of one type read or write the same key.
    case duplicateKey(String)
    /// A type that cannot be constrained.
    case unconstrainable(String)
    /// A malformed pattern, and why.
    case invalidPattern(String, String)
    /// The values that a path with `*` collects are not one array of the document, so their number cannot be checked.
    case wildcardCounts(String)
    /// Of two fields, one is part of the value that is emitted for the other.
    case overlap(String, String)
    /// The path of this field does not begin with a key.
    case pathWithoutKey(String)
    /// A composed object in a request: it cannot be taken apart again.
    case composedRequest(String)
    /// Types that are nested in each other for more levels than this.
    case tooDeep(Int)
    /// Types that contain each other through chosen elements, without end.
    case endlessChoice
    /// The default of this field is not valid JSON, or not of its type, and why.
    case invalidDefault(String, String)
    /// More values than one pass can extract (64).
    case tooManyExtractions(Int)
    /// The combinations of types met in one pass exceed 65,536.
    case tooManyStates
    /// The kinds of objects that one value may be, or their combinations, exceed 256; what is of no kind counts as one.
    case tooManyKinds
}

extension PlanError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unknownType(let name): "there is no type \(name)"
        case .circularAlias(let name): "the type \(name) is defined by itself alone"
        case .ambiguousUnion(let text):
            "\(text): nothing in JSON tells the alternatives of the union apart"
        case .wildcardNeedsArray(let text): "a path with * collects an array, which \(text) is not"
        case .duplicateKey(let key): "the key \(key) is declared twice"
        case .unconstrainable(let text): "nothing more can be asked of \(text)"
        case .invalidPattern(let text, let message): "/\(text)/ is no pattern: \(message)"
        case .wildcardCounts(let text): "a path with * collects an array, whose elements \(text) cannot count"
        case .overlap(let one, let other): "\(other) lies in what goes out for \(one)"
        case .pathWithoutKey(let field): "the path of \(field) begins with no key"
        case .composedRequest(let name): "\(name) is put together from an answer, and cannot be sent"
        case .tooDeep(let levels): "the type is nested more than \(levels) deep"
        case .endlessChoice: "types hold each other by [-1] or [?…] without end"
        case .invalidDefault(let field, let reason): "the default of \(field) \(reason)"
        case .tooManyExtractions(let count): "\(count) values of one document are wanted; 64 are possible"
        case .tooManyStates: "the types combine into more than 65,536 states; use JSON for some of them"
        case .tooManyKinds:
            "an object may be of more than 256 kinds, the unknown kind and combinations counted; use JSON for some of "
                + "them"
        }
    }
}
