/// What a binding is made of that has no upstream of its own: answers of other bindings (`parts:`).
///
/// Parts form a graph: what one of them needs of another's value, or of another's having been done, stands in
/// ``dependencies``. All that is ready is asked for at once.
public struct Composition: Hashable, Sendable {
    /// In the order of declaration.
    public var parts: [Part]

    public init(_ parts: [Part]) {
        self.parts = parts
    }

    /// Stands in the place of an upstream's name where a binding has parts instead; no upstream can be called so.
    public static let upstreamName = "(parts)"
    /// The body of the client, where a part sends one (`body: request`).
    public static let requestName = "request"
    /// Elements that may be asked for at the same time, where a part says nothing else.
    public static let atOnceUsual = 8
    public static let atOnceRange = 1...1000

    /// One answer of another binding, or one for each element of a list.
    public struct Part: Hashable, Sendable {
        /// The key under which its value stands.
        public var name: String
        public var method: String
        /// Segments of the path of the binding that is asked.
        public var path: [Text]
        public var query: [QueryItem]
        /// The list with an element for each request; nil is one request.
        public var each: Reference?
        /// What an element is called.
        public var alias: String?
        /// How many elements are asked for at the same time.
        public var atOnce = Composition.atOnceUsual
        /// Whether the answer may do without it: it is null where it fails.
        public var isOptional = false
        /// The value that is sent.
        public var body: Reference?

        public init(_ name: String, method: String, path: [Text], query: [QueryItem] = []) {
            self.name = name
            self.method = method
            self.path = path
            self.query = query
        }

        /// Whether it may change something (RFC 9110 §9.2.1): then it is asked in its turn.
        public var writes: Bool { !["GET", "HEAD", "OPTIONS", "TRACE"].contains(method) }

        /// All that its request is made of, in the order of the notation.
        public var references: [Reference] { referencesInText + [each, body].compactMap(\.self) }

        /// What its path and its query are made of.
        public var referencesInText: [Reference] {
            let texts = path + query.map(\.value)
            return texts.joined().compactMap { piece -> Reference? in
                if case .value(let reference) = piece { reference } else { nil }
            }
        }
    }

    /// Text with values in it.
    public typealias Text = [Piece]

    public enum Piece: Hashable, Sendable {
        /// As it stands in a URL, percent-encoded where it has to be.
        case text(String)
        case value(Reference)
    }

    public struct QueryItem: Hashable, Sendable {
        public var name: String
        public var value: Text

        public init(_ name: String, _ value: Text) {
            self.name = name
            self.value = value
        }
    }

    /// A value by the name of a parameter, of a part or of an element, and the way into it: `user.address.city`.
    public struct Reference: Hashable, Sendable {
        public var name: String
        public var path: FieldPath

        public init(_ name: String, _ path: FieldPath = FieldPath(components: [])) {
            self.name = name
            self.path = path
        }
    }
}

extension Composition.Reference: CustomStringConvertible {
    public var description: String {
        FieldPath(components: [.key(name)] + path.components).description
    }
}

extension Composition.Part: CustomStringConvertible {
    /// What is asked, as the configuration writes it: `GET /posts?author={user.id}`.
    public var description: String {
        let segments = path.map { "/" + Self.written($0) }.joined()
        let pairs = query.map { "\($0.name)=\(Self.written($0.value))" }.joined(separator: "&")
        return "\(method) \(segments.isEmpty ? "/" : segments)" + (pairs.isEmpty ? "" : "?\(pairs)")
    }

    private static func written(_ text: Composition.Text) -> String {
        text.map { piece in
            switch piece {
            case .text(let text): text
            case .value(let reference): "{\(reference)}"
            }
        }.joined()
    }
}
