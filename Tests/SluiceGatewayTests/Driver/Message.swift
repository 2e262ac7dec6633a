/// A request or an answer as a peer of the gateway has read it.
struct Message {
    /// Request line or status line.
    var startLine = ""
    var fields: [Field] = []
    var body: [UInt8] = []
    /// Bytes of the body, those that are not kept included.
    var bodyCount = 0
    var trailers: [Field] = []
    var isHeadComplete = false
    /// Its end has been seen, and the end was said.
    var isComplete = false
    var isChunked = false

    struct Field: Hashable {
        var name: String
        var value: String
    }

    /// Of a status line; 0 where there is none.
    var status: Int { Int(startLine.split(separator: " ").dropFirst().first ?? "") ?? 0 }
    var method: String { String(startLine.prefix { $0 != " " }) }
    var target: String { startLine.split(separator: " ").dropFirst().first.map(String.init) ?? "" }
    var text: String { String(decoding: body, as: UTF8.self) }

    /// All values of a field, in order.
    func values(_ name: String) -> [String] {
        fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    /// The only value of a field, or all of them joined.
    subscript(name: String) -> String? {
        let values = values(name)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }
}
