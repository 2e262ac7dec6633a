/// An answer that is not of the type a program expects.
public struct DecodeFault: Error, Hashable, Sendable {
    /// Whether something is not there, or not of its type, or the document is broken.
    public enum Reason: Hashable, Sendable {
        case absent, mismatched, broken
    }

    public var reason: Reason
    /// Where: `$.values[0].size`, with `$` for the whole document.
    public var path: String
    /// What is wrong there.
    public var detail: String
    /// The answer as it came.
    public var body: [UInt8]

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
