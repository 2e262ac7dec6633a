import SluiceContract

/// `headers:` of an upstream or binding: fixed fields of outgoing requests.
enum HeadersSection {
    static let shape = Shape.names(pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$", .text())

    /// Fields that the gateway writes itself, with who says what they hold.
    static let reserved: [(name: String, reason: String)] = [
        ("host", "use 'host:' of the upstream"),
        ("authorization", "use 'bearer:' of the upstream"),
        ("content-length", "it follows from the body"),
        ("connection", "it belongs to one hop"), ("keep-alive", "it belongs to one hop"),
        ("proxy-connection", "it belongs to one hop"), ("proxy-authorization", "it belongs to one hop"),
        ("proxy-authenticate", "it belongs to one hop"), ("te", "it belongs to one hop"),
        ("trailer", "it belongs to one hop"), ("transfer-encoding", "it belongs to one hop"),
        ("upgrade", "it belongs to one hop"), ("expect", "it belongs to one hop"), ("via", "the gateway adds it"),
    ]

    static func read(_ node: SourceNode, _ desk: Desk, into headers: inout [HeaderSetting]) {
        var own: Set<String> = []
        for (name, key, value) in desk.named(node, what: "fields by name") {
            guard desk.isFieldName(name, at: key.place) else { continue }
            guard own.insert(name.lowercased()).inserted else {
                desk.findings.mistake(at: key.place, "field '\(name)' stands twice", expected: "each field once")
                continue
            }
            guard let text = value.isNull ? nil : value.text, isFieldValue(text) else {
                desk.findings.mistake(
                    at: value.place, "this cannot be the value of '\(name)'",
                    expected: "one line of text without spaces around it")
                continue
            }
            guard desk.isFilledIn(text, value) else { continue }
            headers.removeAll { $0.name.lowercased() == name.lowercased() }
            headers.append(HeaderSetting(name: name, value: text))
        }
    }

    /// RFC 9110 §5.5 `field-value`.
    static func isFieldValue(_ text: String) -> Bool {
        let isClean = text.utf8.allSatisfy { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7f) }
        let isTrimmed = text.utf8.first.map { $0 > 0x20 } ?? true && text.utf8.last.map { $0 > 0x20 } ?? true
        return isClean && isTrimmed
    }
}

extension Desk {
    /// Whether a field of this name may be set, or taken from a client (RFC 9110 §5.1, §7.6.1).
    func isFieldName(_ name: String, at place: SourceNode.Place) -> Bool {
        guard Name.isToken(name) else {
            findings.mistake(
                at: place, "'\(name)' is no field name", expected: "letters, digits and '-' (RFC 9110 §5.6.2 token)")
            return false
        }
        if let (_, reason) = HeadersSection.reserved.first(where: { $0.name == name.lowercased() }) {
            findings.mistake(
                at: place, "field '\(name)' cannot be set here", expected: "a field that is not the gateway's own",
                suggestion: .advice(reason))
            return false
        }
        return true
    }
}
