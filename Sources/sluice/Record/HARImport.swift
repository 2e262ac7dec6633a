internal import SluiceConfig
internal import SluiceContract
internal import SluiceGateway
internal import SluiceHTTP
internal import SluiceSigning

/// Makes recordings of an archive: what was asked of one of the page's upstreams.
struct HARImport {
    /// Each with the beginning of its URLs.
    private let places: [(upstream: String, url: String)]

    init(_ configuration: SluiceContract.Configuration) {
        places = configuration.upstreams.flatMap { upstream in
            upstream.endpoints.map { (upstream.name, Self.url(of: $0)) }
        }
    }

    private static func url(of origin: Upstream.Origin) -> String {
        switch origin {
        case .unix: return "http://localhost"
        case .tcp(let host, let port, let tls):
            let name = host.contains(":") ? "[\(host)]" : host
            return (tls ? "https://" : "http://") + name + (port == (tls ? 443 : 80) ? "" : ":\(port)")
        }
    }

    /// What came of an archive.
    struct Outcome {
        var exchanges: [RecordedExchange] = []
        /// What was left aside, and why.
        var skipped: [String] = []
    }

    /// - Parameters:
    ///   - leftOut: names of fields and members that are left out as well.
    ///   - kept: names of members of answers that only sound like credentials.
    func read(_ document: HARDocument, leftOut: Set<String>, kept: Set<String>) -> Outcome {
        var outcome = Outcome()
        var counts: [String: Int] = [:]
        for entry in document.log.entries {
            guard let whole = exchange(entry, &outcome) else { continue }
            guard var exchange = whole.withoutSecrets(leftOut: leftOut, kept: kept) else {
                outcome.skipped.append("\(Self.name(entry)): its content is no text, and has a credential in it")
                continue
            }
            if outcome.exchanges.count == Recordings.countMax {
                outcome.skipped.append("\(Self.name(entry)): there are \(Recordings.countMax) already")
                continue
            }
            let name = RecordingFolder.name(of: exchange)
            counts[name, default: 0] += 1
            exchange.number = counts[name] ?? 1
            outcome.exchanges.append(exchange)
        }
        return outcome
    }

    private func exchange(_ entry: HARDocument.Entry, _ outcome: inout Outcome) -> RecordedExchange? {
        let what = Self.name(entry)
        func skip(_ why: String) -> RecordedExchange? {
            outcome.skipped.append("\(what): \(why)")
            return nil
        }
        guard let (upstream, origin, target) = place(entry) else { return skip("no upstream of the page is there") }
        guard (200...599).contains(entry.response.status) else { return skip("there was no answer") }
        var exchange = RecordedExchange(
            upstream: upstream, method: entry.request.method, target: target, status: entry.response.status)
        exchange.origin = origin
        exchange.binding = entry._binding
        exchange.milliseconds = Int(max(0, min(entry.time ?? 0, 1e9)))
        exchange.at = entry.startedDateTime.flatMap(HARTime.milliseconds) ?? 0
        exchange.requestFields = fields(entry.request.headers)
        exchange.fields = fields(entry.response.headers)
        guard let requestBody = bytes(entry.request.postData?.text, entry.request.postData?._encoding),
            let body = bytes(entry.response.content?.text, entry.response.content?.encoding)
        else { return skip("its content is no base64") }
        (exchange.requestBody, exchange.body) = (requestBody, body)
        guard body.count <= Recordings.bodyBytesMax, requestBody.count <= Recordings.bodyBytesMax else {
            return skip("its content is larger than \(Recordings.bodyBytesMax >> 20) MiB")
        }
        return exchange
    }

    /// For people, without what sounds like a credential.
    private static func name(_ entry: HARDocument.Entry) -> String {
        "\(entry.request.method) \(Array(entry.request.url.utf8).withUnsafeBytes { QueryMask.text($0) })"
    }

    /// Which upstream it is, and what it was asked.
    private func place(_ entry: HARDocument.Entry) -> (upstream: String, origin: String, target: String)? {
        let url = entry.request.url.prefix { $0 != "#" }
        let rest = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url
        let start = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        let origin = String(url[..<start])
        let target = rest[start...].hasPrefix("/") ? String(rest[start...]) : "/" + rest[start...]
        if let name = entry._upstream { return places.contains { $0.upstream == name } ? (name, origin, target) : nil }
        return places.first { $0.url == origin.lowercased() }.map { ($0.upstream, origin, target) }
    }

    private func fields(_ fields: [HARDocument.Field]?) -> [HeaderSetting] {
        // Browsers write pseudo-fields of HTTP/2 among them.
        (fields ?? []).filter { !$0.name.hasPrefix(":") }.map { HeaderSetting(name: $0.name, value: $0.value) }
    }

    private func bytes(_ text: String?, _ encoding: String?) -> [UInt8]? {
        guard let text else { return [] }
        return encoding == "base64" ? Base64.decode(Array(text.utf8)) : Array(text.utf8)
    }
}
