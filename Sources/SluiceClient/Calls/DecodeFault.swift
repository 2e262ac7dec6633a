/// An answer that is not of the type a program expects.
public struct DecodeFault: Error, Hashable, Sendable {
    /// What kind of fault it is.
    public enum Reason: Hashable, Sendable {
        /// Something is not there, or null.
        case absent
        /// Something is there and not of its type.
        case mismatched
        /// The document cannot be read.
        case broken
    }

    /// What kind of fault it is.
    public var reason: Reason
    /// Where: `$.values[0].size`, with `$` for the whole document.
    public var path: String
    /// What is wrong there: a sentence without its full stop.
    public var detail: String
    /// The whole content of the answer, as it came.
    public var body: [UInt8]

    /// A fault that a program has found itself.
    public init(_ reason: Reason, path: String, detail: String, body: [UInt8]) {
        self.reason = reason
        self.path = path
        self.detail = detail
        self.body = body
    }

    init(_ error: any Error, body: [UInt8]) {
        self.init(.broken, path: "$", detail: "\(error)", body: body)
        guard let error = error as? DecodingError else { return }
        switch error {
        case .keyNotFound(let key, let context):
            reason = .absent
            path = Self.text(of: context.codingPath + [key])
            detail = "a member is missing"
        case .valueNotFound(let type, let context):
            reason = .absent
            path = Self.text(of: context.codingPath)
            detail = "null where \(type) was expected"
        case .typeMismatch(let type, let context):
            reason = .mismatched
            path = Self.text(of: context.codingPath)
            detail = "no \(type): \(context.debugDescription)"
        case .dataCorrupted(let context):
            path = Self.text(of: context.codingPath)
            detail = context.debugDescription
        @unknown default: break
        }
    }

    static func text(of path: [any CodingKey]) -> String {
        path.reduce("$") { text, key in key.intValue.map { "\(text)[\($0)]" } ?? "\(text).\(key.stringValue)" }
    }
}
