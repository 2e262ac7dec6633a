internal import SluiceContract

/// Fields of outgoing requests.
enum FieldRule {
    /// Fields that the gateway writes itself, with the source of their values.
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

    /// Whether a field frames the message, belongs to one hop, or says what the content is: no credential writes it.
    static func isOfMessage(_ name: String) -> Bool {
        let name = name.lowercased()
        return name == "content-type" || name == "cookie"
            || reserved.contains { $0.name == name && $0.name != "authorization" }
    }

    /// Fields of answers that follow from what the gateway does with them.
    private static let reservedInAnswers: [(name: String, reason: String)] = [
        ("content-encoding", "it follows from the content"), ("content-range", "it follows from the content"),
        ("vary", "it follows from what the answer depends on"), ("set-cookie", "use 'set-cookie:'"),
        ("date", "it tells when the answer was made"), ("age", "it tells how long the answer was stored"),
        ("access-control-allow-origin", "use 'cors:'"), ("access-control-allow-credentials", "use 'cors:'"),
        ("access-control-expose-headers", "use 'cors:'"),
    ]

    /// Whether a field of this name may be set, or taken from a client (RFC 9110 §5.1, §7.6.1).
    @discardableResult static func checkName(
        _ name: String, _ scope: Scope, ofAnswers: Bool = false, ofFixtures: Bool = false
    ) -> Bool {
        guard Name.isToken(name) else {
            scope.mistake(
                "'\(name)' is no field name", expected: "letters, digits and '-' (RFC 9110 §5.6.2 token)")
            return false
        }
        let reserved =
            ofFixtures ? reserved.filter { isOfMessage($0.name) } : ofAnswers ? reserved + reservedInAnswers : reserved
        if let (_, reason) = reserved.first(where: { $0.name == name.lowercased() }) {
            scope.mistake(
                "field '\(name)' cannot be set here", expected: "a field that is not the gateway's own",
                suggestion: .advice(reason))
            return false
        }
        return true
    }

    /// Fields of a layer, put on top of those that were inherited.
    static func merged(
        _ own: [HeaderSetting], _ inherited: [HeaderSetting], _ scope: Scope, ofAnswers: Bool = false,
        ofFixtures: Bool = false
    ) -> [HeaderSetting] {
        var headers = inherited
        var seen: Set<String> = []
        for header in own {
            let scope = scope / header.name
            guard checkName(header.name, scope, ofAnswers: ofAnswers, ofFixtures: ofFixtures) else { continue }
            let name = header.name.lowercased()
            guard seen.insert(name).inserted else {
                scope.mistake("field '\(header.name)' stands twice", expected: "each field once")
                continue
            }
            guard isValue(header.value) else {
                noValue(header.name, scope)
                continue
            }
            if case .field(let from) = header.origin {
                guard checkName(from, scope / "from", ofAnswers: ofAnswers) else { continue }
                if from.lowercased() == name {
                    (scope / "from").mistake(
                        "'\(from)' is this field itself", at: .value, expected: "the name that the field comes by")
                    continue
                }
            }
            headers.removeAll { $0.name.lowercased() == name }
            headers.append(header)
        }
        return headers
    }

    private static func noValue(_ name: String, _ scope: Scope) {
        scope.mistake(
            "this cannot be the value of '\(name)'", at: .value,
            expected: "one line of text without spaces around it")
    }

    /// RFC 9110 §5.5 `field-value`.
    private static func isValue(_ text: String) -> Bool {
        let isClean = text.utf8.allSatisfy { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7f) }
        let isTrimmed = text.utf8.first.map { $0 > 0x20 } ?? true && text.utf8.last.map { $0 > 0x20 } ?? true
        return isClean && isTrimmed
    }
}

extension Grants {
    func check(_ scope: Scope, _ clientNames: [String]) {
        if self == Grants() {
            scope.mistake(
                "nobody is allowed", at: .value, expected: "one of the keys uid, gid, client, subject",
                suggestion: .advice("write allow: any where everybody is"))
        }
        for (index, name) in clients.enumerated() where !clientNames.contains(name) {
            (scope / "client")[index].mistake(
                "there is no client '\(name)'", at: .value,
                expected: clientNames.isEmpty ? "a name under 'clients:'" : clientNames.joined(separator: ", "),
                suggestion: Nearest.suggestion(for: name, among: clientNames))
        }
    }
}
