internal import SluiceContract
internal import SluiceHTTP

/// A request that is not sent, to explain what the cache would do with it.
struct CacheQuestion {
    var method: String
    var target: [UInt8]
    var fields: [(name: String, value: String)] = []
    /// Text of the client's address, for bindings where each client has entries of its own.
    var client = "127.0.0.1"

    /// Parameters that it is read from.
    static let names = ["request", "client"]
    /// Fields that it is read from: each `explain-field` holds a field of the request, as 'Name: value', and
    /// `explain-request` replaces the parameter `request`. Both may hold credentials, which must not be in a target,
    /// because logs contain targets.
    private static let fieldCarrier = "explain-field"
    private static let requestCarrier = "explain-request"

    init(method: String, target: [UInt8]) {
        self.method = method
        self.target = target
    }

    init(_ query: AdminQuery, fields carriers: borrowing HeaderBlock) throws(Problem) {
        let text = try query.value("request") ?? Self.values(of: Self.requestCarrier, in: carriers).first ?? ""
        let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard words.count == 2, words[1].hasPrefix("/") else {
            throw AdminQuery.wrong(
                "request", expected: "a method and a target, such as GET /fruits?limit=3",
                found: text.isEmpty ? "nothing" : "'\(text)'")
        }
        method = words[0]
        target = Array(words[1].utf8)
        if let address = try query.value("client") { client = address }
        for line in Self.values(of: Self.fieldCarrier, in: carriers) {
            guard let colon = line.firstIndex(of: ":") else {
                throw AdminQuery.wrong(
                    Self.fieldCarrier, in: "header", expected: "'Name: value'", found: "no colon")
            }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            fields.append((String(line[..<colon]), String(value)))
        }
    }

    private static func values(of name: String, in fields: borrowing HeaderBlock) -> [String] {
        var values: [String] = []
        for index in 0..<fields.count where name.utf8.elementsEqual(fields.name(index).lazy.map { $0 | 0x20 }) {
            values.append(String(decoding: fields.value(index), as: UTF8.self))
        }
        return values
    }

    /// The origins that it may be for: that of its `Host`, or those of the gateway.
    func origins(of own: OwnOrigins) -> [OwnOrigins.Origin] {
        let host = fields.first { $0.name.lowercased() == "host" }?.value
        return host.map { own.named($0) } ?? own.all
    }

    /// - Throws: why a server would refuse the request.
    func write(into head: inout RequestHead, asking authority: String) throws(Problem) {
        let host = Array(authority.utf8)
        host.withUnsafeBytes { head.fields.append(.host, value: $0) }
        if let refusal = host.withUnsafeBytes({ head.set(authority: $0) }) {
            throw Problem(refusal.kind, detail: "\(refusal.detail)")
        }
        for field in fields where field.name.lowercased() != "host" {
            let (name, value) = (Array(field.name.utf8), Array(field.value.utf8))
            guard name.withUnsafeBytes({ !$0.isEmpty && FieldValue.isToken($0) }),
                value.withUnsafeBytes({ FieldValue.isValid($0) })
            else {
                throw AdminQuery.wrong(
                    Self.fieldCarrier, in: "header", expected: "a field as HTTP has them", found: "'\(field.name)'")
            }
            name.withUnsafeBytes { name in value.withUnsafeBytes { head.fields.append(name: name, value: $0) } }
        }
        let method = Array(method.utf8)
        guard method.withUnsafeBytes({ !$0.isEmpty && FieldValue.isToken($0) }) else {
            throw AdminQuery.wrong("request", expected: "a method", found: "'\(self.method)'")
        }
        method.withUnsafeBytes { head.set(method: $0) }
        if let refusal = target.withUnsafeBytes({ head.set(target: $0) }) {
            throw Problem(refusal.kind, detail: "\(refusal.detail)")
        }
    }
}
