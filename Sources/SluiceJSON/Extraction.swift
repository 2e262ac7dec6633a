public import SluiceContract

/// One value to extract from a document.
public struct Extraction: Hashable, Sendable {
    /// The path of the value; empty is the whole document. A `*` collects the matches into one array.
    public var path: FieldPath
    /// The type of the value; nil is any JSON. Either way the whole document has to be valid (RFC 8259).
    public var type: TypeExpression?
    /// What happens to keys that an object type does not declare, if the type itself does not say.
    public var unknown: UnknownKeys
    /// How declared keys are renamed between upstream and client.
    public var keys: KeyStyle
    /// The direction in which keys are renamed.
    public var direction: Direction

    public init(
        path: FieldPath = FieldPath(components: []), type: TypeExpression? = nil, unknown: UnknownKeys = .pass,
        keys: KeyStyle = .verbatim, direction: Direction = .fromUpstream
    ) {
        self.path = path
        self.type = type
        self.unknown = unknown
        self.keys = keys
        self.direction = direction
    }

    /// Which way a document travels.
    public enum Direction: String, Hashable, Sendable, CaseIterable {
        /// An answer: the upstream's keys come in, local names go out.
        case fromUpstream
        /// A request body: local names come in, the upstream's keys go out.
        case toUpstream
    }
}

/// The limits that a document may not exceed.
public struct JSONLimits: Hashable, Sendable {
    /// Open arrays and objects at one time.
    public var depth: Int
    /// One string, number or key, bytes as written.
    public var stringBytes: Int
    /// Keys of one object.
    public var keys: Int
    /// The whole document, bytes.
    public var documentBytes: Int
    /// Bytes of an object that may be held until its alternative is known.
    public var choiceBytes: Int

    public init(depth: Int, stringBytes: Int, keys: Int, documentBytes: Int, choiceBytes: Int = 64 << 10) {
        self.choiceBytes = choiceBytes
        self.depth = depth
        self.stringBytes = stringBytes
        self.keys = keys
        self.documentBytes = documentBytes
    }

    /// The JSON limits of the configuration.
    public init(_ limits: Limits = Limits()) {
        self.init(
            depth: limits.jsonDepth, stringBytes: limits.jsonStringBytes, keys: limits.jsonKeys,
            documentBytes: limits.jsonBytes, choiceBytes: limits.jsonChoiceBytes)
    }
}

/// How much of a value has been extracted.
public enum SliceState: UInt8, Hashable, Sendable, BitwiseCopyable {
    /// Not seen yet.
    case pending
    /// The first byte of the value has been seen, the last has not.
    case open
    /// The whole value has been seen. It is of its type unless ``Extractor/isFailed(slice:)``.
    case complete
    /// The document has no value at the path.
    case absent
}
