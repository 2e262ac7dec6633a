public import SluiceContract

/// One wanted value out of a document.
public struct Extraction: Hashable, Sendable {
    /// Where the value stands; empty is the whole document. A `*` collects what is found into one array.
    public var path: FieldPath
    /// What the value has to be; nil is any JSON. Either way the whole document has to be valid (RFC 8259).
    public var type: TypeExpression?
    /// What happens to keys that an object type names not, where the type itself does not say.
    public var unknown: UnknownKeys
    /// How declared keys are renamed between upstream and client.
    public var keys: KeyStyle
    /// Which way renames go.
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

/// What a document may not exceed.
public struct JSONLimits: Hashable, Sendable {
    /// Open arrays and objects at one time.
    public var depth: Int
    /// One string, number or key, bytes as written.
    public var stringBytes: Int
    /// Keys of one object.
    public var keys: Int
    /// The whole document, bytes.
    public var documentBytes: Int
    /// Bytes of an object that are held until it is known which of several it is.
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

/// Where a wanted value has got to.
public enum SliceState: UInt8, Hashable, Sendable, BitwiseCopyable {
    /// Not seen yet.
    case pending
    /// Its first byte has been seen, its last has not.
    case open
    /// Whole. It is as declared unless ``Extractor/isFailed(slice:)``.
    case complete
    /// Its path is proven to lead nowhere.
    case absent
}
