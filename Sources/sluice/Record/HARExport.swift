internal import SluiceContract
internal import SluiceJSON
internal import SluiceSigning

/// Recordings as an HTTP archive (HAR 1.2).
enum HARExport {
    static func text(_ recordings: Recordings, version: String) -> String {
        let entries = recordings.exchanges.sorted { ($0.at, $0.number) < ($1.at, $1.number) }.map(entry)
        return JSONValue.object([
            (
                "log",
                .object([
                    ("version", .string("1.2")),
                    ("creator", .object([("name", .string("sluice")), ("version", .string(version))])),
                    ("entries", .array(entries)),
                ])
            )
        ]).text
    }

    private static func entry(_ exchange: RecordedExchange) -> JSONValue {
        let time = JSONValue.number(exchange.milliseconds)
        var members: [(String, JSONValue)] = [
            ("startedDateTime", .string(HARTime.text(exchange.at))), ("time", time), ("request", request(exchange)),
            ("response", response(exchange)), ("cache", .object([])),
            ("timings", .object([("send", .number(0)), ("wait", time), ("receive", .number(0))])),
            ("_upstream", .string(exchange.upstream)),
        ]
        if let binding = exchange.binding { members.append(("_binding", .string(binding))) }
        return .object(members)
    }

    private static func request(_ exchange: RecordedExchange) -> JSONValue {
        var members: [(String, JSONValue)] = [
            ("method", .string(exchange.method)),
            ("url", .string((exchange.origin ?? "http://\(exchange.upstream)") + exchange.target)),
            ("httpVersion", .string("HTTP/1.1")), ("cookies", .array([])), ("headers", fields(exchange.requestFields)),
            ("queryString", query(exchange.target)), ("headersSize", .number(-1)),
            ("bodySize", .number(exchange.requestBody.count)),
        ]
        if !exchange.requestBody.isEmpty {
            let (text, encoding) = content(exchange.requestBody)
            var data: [(String, JSONValue)] = [
                ("mimeType", .string(mediaType(exchange.requestFields))), ("params", .array([])),
                ("text", .string(text)),
            ]
            if let encoding { data.append(("_encoding", .string(encoding))) }
            members.append(("postData", .object(data)))
        }
        return .object(members)
    }

    private static func response(_ exchange: RecordedExchange) -> JSONValue {
        let (text, encoding) = content(exchange.body)
        var content: [(String, JSONValue)] = [
            ("size", .number(exchange.body.count)), ("mimeType", .string(mediaType(exchange.fields))),
            ("text", .string(text)),
        ]
        if let encoding { content.append(("encoding", .string(encoding))) }
        let location = exchange.fields.first { $0.name.lowercased() == "location" }?.value ?? ""
        return .object([
            ("status", .number(exchange.status)), ("statusText", .string("")),
            ("httpVersion", .string("HTTP/1.1")), ("cookies", .array([])), ("headers", fields(exchange.fields)),
            ("content", .object(content)), ("redirectURL", .string(location)), ("headersSize", .number(-1)),
            ("bodySize", .number(exchange.body.count)),
        ])
    }

    private static func fields(_ fields: [HeaderSetting]) -> JSONValue {
        .array(fields.map { pair($0.name, $0.value) })
    }

    private static func pair(_ name: String, _ value: String) -> JSONValue {
        .object([("name", .string(name)), ("value", .string(value))])
    }

    /// As it stands in the target.
    private static func query(_ target: String) -> JSONValue {
        guard let mark = target.firstIndex(of: "?") else { return .array([]) }
        return .array(
            target[target.index(after: mark)...].split(separator: "&").map { part in
                let end = part.firstIndex(of: "=") ?? part.endIndex
                return pair(String(part[..<end]), String(part[end...].dropFirst()))
            })
    }

    private static func mediaType(_ fields: [HeaderSetting]) -> String {
        fields.first { $0.name.lowercased() == "content-type" }?.value ?? "application/octet-stream"
    }

    private static func content(_ bytes: [UInt8]) -> (text: String, encoding: String?) {
        String(validating: bytes, as: UTF8.self).map { ($0, nil) } ?? (Base64.text(bytes), "base64")
    }
}
