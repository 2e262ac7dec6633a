internal import SluiceCache
internal import SluiceHTTP
internal import SluiceHTTP2

extension HTTP2Stream {
    /// Copies the fields one by one from the stored lines, without a header block in between.
    func sendHead(of entry: StoredResponse, now: UInt64) {
        guard let link, let exchange else { preconditionFailure("an answer without an exchange") }
        let isBodyless = exchange.request.head.method == .head || entry.status == 204 || entry.bodyCount == 0
        isAnswerBodyless = isBodyless
        let age = entry.age(now)
        link { link in
            link.session.submitStored(
                status: entry.status, lines: entry.lines, age: age, ttl: entry.lifetime - age,
                and: exchange.ownFields, contentLength: entry.status == 204 ? nil : entry.bodyCount,
                hasContent: !isBodyless, on: self)
            link.touch()
        }
    }
}
