public import SluiceContract
import SluiceHTTP
import SluiceJSON

/// All bindings as `GET /bindings` of the admin socket describes them: their requests, with types, samples, and a
/// command line. It contains no secret.
public struct BindingsDocument {
    private let configuration: Configuration
    private let addresses: [String]
    private let upstreams: [String: Upstream]
    /// Upstreams whose token is taken from an answer by some binding (`keep:`).
    private let keepers: Set<String>
    private let types: NamedTypes
    private let samples: SampleValue

    /// - Parameter addresses: where clients reach the daemon, one for each listener and in their order; a port 0 is
    ///   replaced by the actual port.
    public init(_ configuration: Configuration, addresses: [String]) {
        self.configuration = configuration
        self.addresses = zip(configuration.listen, addresses).map(Self.url)
        upstreams = Dictionary(configuration.upstreams.map { ($0.name, $0) }) { first, _ in first }
        keepers = Set(configuration.bindings.lazy.filter { $0.keep != nil }.map(\.upstream))
        types = NamedTypes(configuration.types)
        samples = SampleValue(types)
    }

    public var bytes: [UInt8] {
        let types = configuration.types.map {
            JSONValue.object([("name", .string($0.name)), ("text", .string($0.type.description))])
        }
        let document = JSONValue.object([
            ("listen", .array(addresses.map { .string($0) })),
            ("bindings", .array(configuration.bindings.map(json))), ("types", .array(types)),
        ])
        return Array((document.text + "\n").utf8)
    }

    /// The address for clients: a listener on all addresses is reached at the loopback address.
    private static func url(_ listener: Listener, _ address: String) -> String {
        if case .unix = listener.address { return address }
        let scheme = listener.tls == nil ? "http" : "https"
        let places = [("0.0.0.0:", "127.0.0.1:"), ("[::]:", "[::1]:")]
        for (everywhere, near) in places where address.hasPrefix(everywhere) {
            return "\(scheme)://\(near)\(address.dropFirst(everywhere.count))"
        }
        return "\(scheme)://\(address)"
    }

    private func json(_ binding: Binding) -> JSONValue {
        let upstream = upstreams[binding.upstream]
        let method = binding.methods.first ?? "GET"
        let body = body(binding)
        let credential = upstream?.credential(of: binding, keepers).names.first
        let target = "\(binding.upstreamMethod ?? method) \(upstream?.basePath ?? "")\(binding.upstreamPath)"
        var members: [(String, JSONValue)] = [
            ("name", .string(binding.name)), ("method", .string(method)),
            ("methods", .array((binding.methods.isEmpty ? ["ANY"] : binding.methods).map { .string($0) })),
            ("path", .string(binding.path.description)), ("description", .null),
            ("upstream", .string(binding.upstream)), ("target", .string(target)),
            ("params", .array(binding.parameters.filter { !$0.isFixed }.map(json))),
        ]
        members.append(
            (
                "body",
                body.map {
                    .object([
                        ("kind", .string($0.kind)), ("type", text($0.type)), ("media", text($0.media)),
                        ("sample", text($0.sample)),
                    ])
                } ?? .null
            ))
        members.append(("value", value(binding)))
        members.append(("cache", binding.cache.map { .string(Self.words($0)) } ?? .null))
        members.append(("credential", text(credential)))
        if let parts = binding.composition?.parts {
            members.append(
                (
                    "parts",
                    .array(parts.map { .object([("name", .string($0.name)), ("from", .string($0.description))]) })
                ))
        }
        members.append(("curl", .string(curl(binding, method, body))))
        return .object(members)
    }

    private func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }

    private func value(_ binding: Binding) -> JSONValue {
        if let value = binding.value { return .string(value.description) }
        if binding.valueByStatus.isEmpty { return .null }
        let types = binding.valueByStatus.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        return .string("{\(types.joined(separator: ", "))}")
    }

    private func json(_ parameter: Parameter) -> JSONValue {
        let shown = parameter.isSensitive ? nil : parameter.defaultJSON
        return .object([
            ("name", .string(parameter.name)), ("in", .string(parameter.location.rawValue)),
            ("type", .string(parameter.type.description)), ("list", .string(parameter.style.rawValue)),
            ("required", .bool(isRequired(parameter))),
            ("default", shown.map { .verbatim($0) } ?? .null),
            ("values", samples.values(parameter.type).map { .array($0.map { .string($0) }) } ?? .null),
            ("sample", .string(sample(of: parameter))),
        ])
    }

    /// The example of the configuration, or any value of the type; values that may be credentials are not shown.
    private func sample(of parameter: Parameter) -> String {
        guard let example = parameter.exampleJSON, !parameter.isSensitive else { return samples.text(parameter.type) }
        return ExampleText.values(of: example)?.first ?? samples.text(parameter.type)
    }

    /// Whether a client has to send the parameter. A list may be left out, which makes it empty, unless it has to have
    /// elements.
    private func isRequired(_ parameter: Parameter) -> Bool {
        if parameter.defaultJSON != nil || types.isOptional(parameter.type) { return false }
        switch types.resolved(parameter.type) {
        case .array: return false
        case .constrained(.array, let constraint): return constraint.range?.contains(0) == false
        default: return true
        }
    }

    private static func words(_ cache: CachePolicy) -> String {
        cache.fresh.map { "fresh for \($0.words)" } ?? "as the upstream says"
    }

    // MARK: - What is sent

    private struct Body {
        var kind: String
        var type: String?
        var media: String?
        var sample: String?
    }

    /// nil where requests have no body.
    private func body(_ binding: Binding) -> Body? {
        let members = binding.parameters.filter { $0.location == .body && !$0.isFixed }
        switch binding.body {
        case .none: return nil
        case .passThrough:
            guard !members.isEmpty else {
                let mayHave = binding.methods.contains { !["GET", "HEAD", "DELETE", "OPTIONS"].contains($0) }
                return mayHave ? Body(kind: "any") : nil
            }
            let sample = JSONValue.object(members.map { ($0.name, samples.json($0.type)) })
            return Body(kind: "json", media: "application/json", sample: sample.text)
        case .json(let type):
            return Body(
                kind: "json", type: type.description, media: "application/json", sample: samples.json(type).text)
        case .form(let object):
            let pairs = object.fields.map { "\(Self.encoded($0.name))=\(Self.encoded(samples.text($0.type)))" }
            return Body(
                kind: "form", type: TypeExpression.object(object).description,
                media: "application/x-www-form-urlencoded", sample: pairs.joined(separator: "&"))
        case .text(let charset):
            return Body(kind: "text", media: "text/plain" + (charset.map { "; charset=\($0)" } ?? ""), sample: "text")
        case .raw(let mediaType): return Body(kind: "raw", media: mediaType ?? "application/octet-stream")
        case .multipart: return Body(kind: "multipart", media: "multipart/form-data")
        }
    }

    /// A request with a sample for each required parameter.
    private func curl(_ binding: Binding, _ method: String, _ body: Body?) -> String {
        let needed = binding.parameters.filter { !$0.isFixed && isRequired($0) }
        var path = ""
        for segment in binding.path.segments {
            path += "/"
            for part in segment {
                switch part {
                case .text(let text): path += Self.encoded(text)
                case .placeholder(let name):
                    let parameter = binding.parameters.first { $0.name == name }
                    path += Self.encoded(parameter.map { sample(of: $0) } ?? name)
                }
            }
        }
        if binding.path.hasRest { path += "/rest" }
        if path.isEmpty { path = "/" }
        let query = needed.filter { $0.location == .query }.map {
            "\(Self.encoded($0.name))=\(Self.encoded(sample(of: $0)))"
        }
        if !query.isEmpty { path += "?" + query.joined(separator: "&") }
        var words = ["curl"]
        if method != "GET" { words += ["-X", method] }
        for parameter in needed where parameter.location == .header {
            words += ["-H", Self.quoted("\(parameter.name): \(sample(of: parameter))")]
        }
        let cookies = needed.filter { $0.location == .cookie }.map { "\($0.name)=\(sample(of: $0))" }
        if !cookies.isEmpty { words += ["-b", Self.quoted(cookies.joined(separator: "; "))] }
        if let body, let sample = body.sample {
            if let media = body.media { words += ["-H", Self.quoted("Content-Type: \(media)")] }
            // `-d` would read a file if the sample begins with `@`.
            words += ["--data-raw", Self.quoted(sample)]
        }
        return (words + place(path)).joined(separator: " ")
    }

    private func place(_ path: String) -> [String] {
        guard let address = addresses.first(where: { !$0.hasPrefix("unix:") }) else {
            let socket = addresses.first?.dropFirst("unix:".count) ?? ""
            return ["--unix-socket", Self.quoted(String(socket)), Self.quoted("http://localhost\(path)")]
        }
        return [Self.quoted(address + path)]
    }

    /// Quotes a text for a POSIX shell.
    private static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: #"'\''"#) + "'" }

    private static func encoded(_ text: String) -> String {
        Array(text.utf8).withUnsafeBytes { bytes in
            withUnsafeTemporaryAllocation(
                byteCount: max(1, PercentEncoding.encodedCountMax(bytes.count)), alignment: 1
            ) { buffer in
                let count = PercentEncoding.encode(bytes, as: .pathSegment, into: buffer)
                return String(decoding: buffer[..<count], as: UTF8.self)
            }
        }
    }
}
