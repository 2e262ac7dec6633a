internal import SluiceContract
internal import SluiceHTTP

/// The parts of a head that are signed, as they are sent.
struct SignedOutline: ~Copyable {
    var method = Outbox()
    var host = Outbox()
    /// Lines that the gateway adds to the client's fields.
    var lines = Outbox()

    func signature(
        of request: BoundRequest, _ route: Route, isSecure: Bool, by credential: CredentialRuntime
    ) -> [UInt8] {
        let server = Array(host.firstRun)
        var occasion = SigningOccasion(
            milliseconds: credential.notedAt * 1000, isSecure: isSecure, nonce: credential.nonce(of: server))
        if credential.presentation.signature?.coversBody == true {
            precondition(request.body.isHeldWhole, "the body of a signed request is still on its way")
            request.body.held.forEachRun { run, _ in occasion.body.append(run) }
        }
        var length = Outbox()
        if case .length(let count) = request.body.outgoing { length.append(decimal: count) }
        var signed = RequestToSign(method: method.firstRun, target: .empty, host: host.firstRun)
        for index in 0..<request.head.fields.count where !request.head.fields.isMarked(index) {
            signed.fields.append(.init(name: request.head.fields.name(index), value: request.head.fields.value(index)))
        }
        appendLines(to: &signed.fields)
        var made: [UInt8] = []
        Self.contentLength.withUTF8Buffer { name in
            if !length.isEmpty { signed.fields.append(.init(name: .init(name), value: length.firstRun)) }
            request.withTarget(route) { target in
                signed.target = target
                made = credential.reader.signature(of: signed, occasion)
            }
        }
        return made
    }

    private static let contentLength: StaticString = "Content-Length"

    /// Splits the lines into fields, without copying them.
    private func appendLines(to fields: inout [RequestToSign.Field]) {
        var rest = lines.firstRun[...]
        while let end = rest.firstIndex(of: 0x0D) {
            let line = rest[..<end]
            if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
                let value = line[(colon + 1)...].drop { $0 == 0x20 }
                fields.append(.init(name: .init(rebasing: line[..<colon]), value: .init(rebasing: value)))
            }
            rest = rest[(end + 2)...]
        }
    }
}
