/// An answer whose body has been read to its end.
public struct WholeAnswer: Sendable, Hashable {
    /// 200 to 599; a problem is an answer, too.
    public var status: Int
    /// Header fields in the order they came; a name may stand more than once.
    public var fields: [CallField]
    /// The content to its end; empty where there is none.
    public var body: [UInt8]

    /// An answer of a program's own, for fakes and tests.
    public init(status: Int, fields: [CallField] = [], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// The first value under a field name, whose case does not matter (RFC 9110 §5.1).
    public func field(_ name: String) -> String? { fields[name] }

    /// All values under a field name.
    public func values(of name: String) -> [String] { fields.values(of: name) }

    /// Whether the status is one from 200 to 299.
    public var isSuccess: Bool { (200..<300).contains(status) }

    /// The media type without its parameters, in lower case.
    public var mediaType: String? {
        field("Content-Type")?.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
    }

    /// The charset that the content says it is in.
    var charset: String? {
        let parameters = field("Content-Type")?.split(separator: ";").dropFirst() ?? []
        for parameter in parameters {
            let halves = parameter.split(separator: "=", maxSplits: 1).map { $0.filter { $0 != " " && $0 != "\"" } }
            if halves.count == 2, halves[0].lowercased() == "charset" { return halves[1].lowercased() }
        }
        return nil
    }
}
