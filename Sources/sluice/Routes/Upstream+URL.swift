internal import SluiceContract

extension Upstream {
    /// As the configuration writes it.
    var url: String { endpoints.map(url(of:)).joined(separator: ", ") }

    private func url(of origin: Origin) -> String {
        switch origin {
        case .tcp(let host, let port, let tls):
            let name = host.contains(":") ? "[\(host)]" : host
            let isUsual = port == (tls ? 443 : 80)
            return "\(tls ? "https" : "http")://\(name)\(isUsual ? "" : ":\(port)")\(basePath)"
        case .unix(let path): return "unix:\(path)\(basePath.isEmpty ? "" : " \(basePath)")"
        }
    }
}
