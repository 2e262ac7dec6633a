import SluiceContract
import SluiceRules

extension Explain {
    static func upstream(_ upstream: Upstream, _ writer: inout YAMLWriter) {
        writer.mapping(upstream.name) { writer in
            if upstream.alternates.isEmpty {
                writer.key("url", url(upstream.origin, upstream.basePath))
            } else {
                writer.list("url", upstream.endpoints.map { url($0, upstream.basePath) })
            }
            if let bearer = upstream.bearer {
                writer.raw("bearer", writer.leavesUsual ? namedSource(bearer, upstream) : source(bearer))
            }
            upstream.credential?.write("credential", &writer)
            limits(upstream.rate, upstream.concurrency, &writer)
            upstream.health?.write("health", &writer)
            var isTLS = false
            if case .tcp(_, _, tls: true) = upstream.origin { isTLS = true }
            writer.settings(of: upstream, except: isTLS ? [] : ["tls"])
        }
    }

    /// A hidden value is replaced by a variable, which has to be set before the configuration is used.
    private static func namedSource(_ bearer: TokenSource, _ upstream: Upstream) -> String {
        guard case .value = bearer else { return source(bearer) }
        let letters = upstream.name.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
        return source(.env(String(letters) + "_TOKEN"))
    }

    static func source(_ source: TokenSource) -> String {
        switch source {
        case .value: "{value: \(redacted)}"
        case .env(let name): "{env: \(YAMLWriter.scalar(name))}"
        case .file(let path): "{file: \(YAMLWriter.scalar(path))}"
        }
    }

    private static func url(_ origin: Upstream.Origin, _ basePath: String) -> String {
        switch origin {
        case .unix(let path): "unix:\(path)" + (basePath.isEmpty ? "" : ":\(basePath)")
        case .tcp(let host, let port, let tls):
            "\(tls ? "https" : "http")://\(authority(host, port, usual: tls ? 443 : 80))\(basePath)"
        }
    }

    private static func authority(_ host: String, _ port: Int, usual: Int) -> String {
        let full = Listener.Address.tcp(host: host, port: port).description
        return port == usual ? String(full.dropLast(String(port).count + 1)) : full
    }

    static func tls(_ tls: Upstream.ClientTLS, _ writer: inout YAMLWriter) {
        writer.mapping("tls") { writer in
            let files = [
                ("ca", tls.ca), ("certificate", tls.certificate), ("key", tls.key), ("server-name", tls.serverName),
            ]
            for (name, value) in files {
                if let value { writer.key(name, value) }
            }
            writer.raw("verify", String(tls.verify))
        }
    }
}
