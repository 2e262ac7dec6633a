internal import SluiceConfig
internal import SluiceContract
internal import SluiceGateway
internal import SluiceHTTP
internal import SluiceSigning

/// Makes recordings of an archive's requests to upstreams of the page.
struct HARImport {
    /// Upstreams with the beginning of their URLs.
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

    /// Unreadable entries that are listed: most often all have the same fault.
    private static let unreadableToldMax = 5

    /// The result of an import.
    struct Outcome {
        var exchanges: [RecordedExchange] = []
        /// Skipped entries, and why.
        var skipped: [String] = []
        private var unreadableCount = 0

        mutating func skip(_ entry: HARDocument.Entry, _ why: String) {
            skipped.append("\(HARAddress.name(of: entry)): \(why)")
        }

        /// - Parameter number: its place in the archive, from 1.
        mutating func skipUnreadable(_ number: Int, _ why: String) {
            unreadableCount += 1
            if unreadableCount <= HARImport.unreadableToldMax { skipped.append("entry \(number): \(why)") }
        }

        mutating func countUnreadable(of all: Int) {
            guard unreadableCount > HARImport.unreadableToldMax else { return }
            skipped.append("\(unreadableCount) of \(all) entries cannot be read")
        }
    }

    /// - Parameter names: fields to leave out as well, and to keep.
    func read(_ document: HARDocument, _ names: RecordingNames) -> Outcome {
        var outcome = Outcome()
        var counts: [String: Int] = [:]
        for (index, item) in document.log.entries.enumerated() {
            let entry: HARDocument.Entry
            switch item {
            case .entry(let readable): entry = readable
            case .unreadable(let why):
                outcome.skipUnreadable(index + 1, why)
                continue
            }
            guard let whole = exchange(entry, &outcome) else { continue }
            guard var exchange = whole.withoutSecrets(names) else {
                outcome.skip(entry, "its content is no text, and has a credential in it")
                continue
            }
            if outcome.exchanges.count == Recordings.countMax {
                outcome.skip(entry, "there are \(Recordings.countMax) already")
                continue
            }
            let name = RecordingFolder.name(of: exchange)
            counts[name, default: 0] += 1
            exchange.number = counts[name] ?? 1
            outcome.exchanges.append(exchange)
        }
        outcome.countUnreadable(of: document.log.entries.count)
        return outcome
    }

    /// Skips entries that a recording cannot hold: one invalid file would keep the whole folder from being replayed.
    private func exchange(_ entry: HARDocument.Entry, _ outcome: inout Outcome) -> RecordedExchange? {
        func skip(_ why: String) -> RecordedExchange? {
            outcome.skip(entry, why)
            return nil
        }
        guard let (upstream, origin, target) = place(entry) else { return skip("no upstream of the page is there") }
        guard (200...599).contains(entry.response.status) else { return skip("there was no answer") }
        guard RecordingFile.isMethod(entry.request.method) else { return skip("that is no method") }
        var exchange = RecordedExchange(
            upstream: upstream, method: entry.request.method, target: target, status: entry.response.status)
        exchange.origin = origin
        exchange.binding = entry._binding
        exchange.milliseconds = Int(max(0, min(entry.time ?? 0, 1e9)))
        exchange.at = max(0, entry.startedDateTime.flatMap(HARTime.milliseconds) ?? 0)
        exchange.requestFields = fields(entry.request.headers)
        exchange.fields = fields(entry.response.headers)
        if let field = (exchange.requestFields + exchange.fields).first(where: { !RecordingFile.isField($0) }) {
            return skip("'\(String(field.name.prefix(40)))' and its value cannot be a field")
        }
        guard let requestBody = bytes(entry.request.postData?.text, entry.request.postData?._encoding),
            let body = bytes(entry.response.content?.text, entry.response.content?.encoding)
        else { return skip("its content is no base64") }
        (exchange.requestBody, exchange.body) = (requestBody, body)
        if entry.request.postData?._encoding == nil { nameCharset(of: requestBody, in: &exchange.requestFields) }
        if entry.response.content?.encoding == nil { nameCharset(of: body, in: &exchange.fields) }
        guard body.count <= Recordings.bodyBytesMax, requestBody.count <= Recordings.bodyBytesMax else {
            return skip("its content is larger than \(Recordings.bodyBytesMax >> 20) MiB")
        }
        return exchange
    }

    /// An archive has texts, whatever they were written in; here they are UTF-8.
    private func nameCharset(of body: [UInt8], in fields: inout [HeaderSetting]) {
        guard body.contains(where: { $0 >= 0x80 }) else { return }
        for index in fields.indices where fields[index].name.lowercased() == "content-type" {
            let parts = fields[index].value.split(separator: ";", omittingEmptySubsequences: false)
            fields[index].value = parts.map { part in
                part.drop { $0 == " " }.lowercased().hasPrefix("charset=") ? " charset=utf-8" : String(part)
            }.joined(separator: ";")
        }
    }

    /// The upstream and the target of an entry.
    private func place(_ entry: HARDocument.Entry) -> (upstream: String, origin: String, target: String)? {
        let url = HARAddress(entry.request.url)
        if let name = entry._upstream {
            return places.contains { $0.upstream == name } ? (name, url.origin, url.target) : nil
        }
        return places.first { $0.url == url.origin.lowercased() }.map { ($0.upstream, url.origin, url.target) }
    }

    private func fields(_ fields: [HARDocument.Field]?) -> [HeaderSetting] {
        // Browsers write pseudo-fields of HTTP/2 among them, and several fields of one name as lines of one.
        (fields ?? []).filter { !$0.name.hasPrefix(":") }.flatMap { field in
            field.value.split(separator: "\n", omittingEmptySubsequences: false).map {
                HeaderSetting(name: field.name, value: String($0))
            }
        }
    }

    private func bytes(_ text: String?, _ encoding: String?) -> [UInt8]? {
        guard let text else { return [] }
        return encoding == "base64" ? Base64.decode(Array(text.utf8)) : Array(text.utf8)
    }
}
