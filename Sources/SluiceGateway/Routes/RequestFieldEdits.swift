internal import SluiceContract
internal import SluiceHTTP

/// What a binding and its upstream set, rename and drop among request fields, compiled.
struct RequestFieldEdits: Sendable {
    /// The lines of the fields that are set, ready to be sent.
    let lines: [UInt8]
    /// Beginnings of lines (`X-Key: `), each with the secret that follows.
    let secrets: [(line: [UInt8], secret: Int)]
    /// Names of fields that the client's own lines may not have upstream.
    let ownNames: [[UInt8]]
    let renames: [Rename]
    /// Whether the configuration itself sets or drops `traceparent`.
    let saysTraceParent: Bool

    struct Rename: Sendable {
        let from: [UInt8]
        let to: [UInt8]
    }

    /// - Parameter secrets: all secrets of the configuration.
    init(_ settings: [HeaderSetting], _ secrets: [TokenSource]) {
        var lines: [UInt8] = []
        var found: [(line: [UInt8], secret: Int)] = []
        for header in settings {
            switch header.origin {
            case .constant: lines += Array("\(header.name): \(header.value)\r\n".utf8)
            case .secret(.value(let text)): lines += Array("\(header.name): \(text)\r\n".utf8)
            case .secret(let source):
                if let secret = secrets.firstIndex(of: source) {
                    found.append((Array("\(header.name): ".utf8), secret))
                }
            case .field, .nothing: break
            }
        }
        self.lines = lines
        self.secrets = found
        renames = Rename.all(settings)
        saysTraceParent = settings.contains { $0.name.lowercased() == "traceparent" }
        ownNames = settings.compactMap { setting in
            if case .field = setting.origin { nil } else { Array(setting.name.utf8) }
        }
    }

    /// The settings for a binding: its own win over those of its upstream.
    static func settings(_ binding: Binding, _ upstream: Upstream) -> [HeaderSetting] {
        let own = Set(binding.headers.map { $0.name.lowercased() })
        return upstream.headers.filter { !own.contains($0.name.lowercased()) } + binding.headers
    }
}

/// What a binding sets, renames and drops among answer fields, compiled.
struct AnswerFieldEdits: Sendable {
    private let lines: [(name: [UInt8], value: [UInt8])]
    private let ownNames: [[UInt8]]
    private let renames: [RequestFieldEdits.Rename]

    /// nil where there are no settings.
    init?(_ settings: [HeaderSetting]) {
        if settings.isEmpty { return nil }
        lines = settings.compactMap { setting in
            setting.origin == .constant ? (Array(setting.name.utf8), Array(setting.value.utf8)) : nil
        }
        renames = RequestFieldEdits.Rename.all(settings)
        ownNames = settings.compactMap { setting in
            if case .field = setting.origin { nil } else { Array(setting.name.utf8) }
        }
    }

    func apply(to fields: inout HeaderBlock) {
        for name in ownNames { name.withUnsafeBytes { fields.markAll($0) } }
        for rename in renames { rename.apply(to: &fields) }
        for (name, value) in lines {
            name.withUnsafeBytes { name in value.withUnsafeBytes { fields.append(name: name, value: $0) } }
        }
    }
}

extension RequestFieldEdits.Rename {
    static func all(_ settings: [HeaderSetting]) -> [RequestFieldEdits.Rename] {
        settings.compactMap { setting in
            guard case .field(let from) = setting.origin else { return nil }
            return RequestFieldEdits.Rename(from: Array(from.utf8), to: Array(setting.name.utf8))
        }
    }

    /// Fields that already have the new name are dropped: they would pass for the renamed one.
    func apply(to fields: inout HeaderBlock) {
        to.withUnsafeBytes { fields.markAll($0) }
        for index in 0..<fields.count where !fields.isMarked(index) {
            guard fields.name(index).equalsIgnoringCase(from) else { continue }
            fields.mark(index)
            let value = Array(fields.value(index))
            to.withUnsafeBytes { name in value.withUnsafeBytes { fields.append(name: name, value: $0) } }
        }
    }
}
