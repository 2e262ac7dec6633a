/// Where an API keeps its errors.
public struct ErrorPaths: Hashable, Sendable {
    public var message: ErrorText?
    public var code: ErrorText?
    /// The status that the client gets in the place of the upstream's.
    public var status: Int?

    public init() {}

    public init(message: ErrorText?, code: ErrorText?, status: Int? = nil) {
        self.message = message
        self.code = code
        self.status = status
    }

    public init(message: FieldPath?, code: FieldPath? = nil) {
        self.init(message: message.map { .path($0) }, code: code.map { .path($0) })
    }
}

/// Where a text of an error stands: `error.message`, `header X-Error`, `xml Message`, `first line`.
public enum ErrorText: Hashable, Sendable {
    /// In a JSON body.
    case path(FieldPath)
    /// In a field of the answer's head.
    case header(String)
    /// In the first element of this name, in a body of XML.
    case element(String)
    /// A body of plain text says it in its first line.
    case firstLine

    /// - Parameter notation: of anything but a path; nil where it is one.
    public init?(notation: String) {
        if notation == "first line" {
            self = .firstLine
        } else if let name = Self.name(notation, behind: "header ") {
            self = .header(name)
        } else if let name = Self.name(notation, behind: "xml ") {
            self = .element(name)
        } else {
            return nil
        }
    }

    private static func name(_ notation: String, behind word: String) -> String? {
        notation.hasPrefix(word) ? String(notation.dropFirst(word.count)) : nil
    }

    public var path: FieldPath? {
        if case .path(let path) = self { path } else { nil }
    }
}

extension ErrorText: CustomStringConvertible {
    public var description: String {
        switch self {
        // A key may look like one of the other notations; behind a `$` it does not.
        case .path(let path): ErrorText(notation: path.description) == nil ? path.description : path.fromRoot
        case .header(let name): "header \(name)"
        case .element(let name): "xml \(name)"
        case .firstLine: "first line"
        }
    }
}

/// How an API reports an error in an answer whose status says that all is well (`error: {when: …}`).
///
/// What is nil says nothing: a binding takes it from its upstream.
public struct ReportedError: Hashable, Sendable {
    /// An answer is an error where all of these hold.
    public var when: [Condition]?
    /// An answer is an error where one of these does not hold.
    public var unless: [Condition]?
    /// The status that the client gets.
    public var status: Int?
    /// Statuses for particular codes of the API, each code once.
    public var codes: [CodeStatus]?
    /// Whether a value that is there is answered all the same.
    public var keepsData: Bool?

    public init() {}

    /// What is asked of one place of the answer.
    public struct Condition: Hashable, Sendable {
        public var path: FieldPath
        /// Scalars as JSON, one of which has to stand there. Without any it holds where anything stands there but null,
        /// false, 0, and what is empty.
        public var values: [String]

        public init(_ path: FieldPath, _ values: [String] = []) {
            self.path = path
            self.values = values
        }
    }

    public struct CodeStatus: Hashable, Sendable {
        public var code: String
        public var status: Int

        public init(_ code: String, _ status: Int) {
            self.code = code
            self.status = status
        }
    }

    /// Whether any answer is judged by it.
    public var isActive: Bool { when?.isEmpty == false || unless?.isEmpty == false }

    /// How many conditions there are at most, of each kind.
    public static let conditionsMax = 8

    /// With what is left unsaid as in another.
    public func added(to other: ReportedError) -> ReportedError {
        var result = other
        if let when { result.when = when }
        if let unless { result.unless = unless }
        if let status { result.status = status }
        if let codes { result.codes = codes }
        if let keepsData { result.keepsData = keepsData }
        return result
    }
}
