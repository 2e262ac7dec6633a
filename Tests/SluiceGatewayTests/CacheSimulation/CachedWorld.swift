import SluiceContract

@testable import SluiceGateway

/// What clients and origins of a cache simulation agree about: resources that change, each by rules of its own.
enum CachedWorld {
    static let resources = 10
    /// Longest that an answer may be behind what the origin has confirmed: freshness, staleness that is allowed, and
    /// one fetch.
    static let behindMax: UInt64 = (20 + 10 + 13) * 1_000_000_000
    static let languages = ["de", "en"]

    static func configuration() throws -> Configuration {
        var bindings = [
            try Build.binding("ANY /raw/**", to: "o /raw/**") { $0.cache = CachePolicy() }
        ]
        for (name, type) in [("a", "[Int]"), ("b", "String")] {
            bindings.append(
                try Build.binding("GET /doc/{id}/\(name)", to: "o /raw/{id}", value: type) {
                    $0.parameters = [try Build.parameter("id", "Int", in: .path)]
                    $0.parent = FieldPath(name)
                    $0.cache = CachePolicy()
                })
        }
        let upstream = Build.upstream("o") {
            $0.basePath = ""
            $0.idle = .seconds(10)
            $0.timeout.connect = .seconds(1)
            $0.timeout.firstByte = .seconds(3)
            $0.timeout.total = .seconds(12)
        }
        return Build.configuration(bindings, upstreams: [upstream]) {
            $0.limits.bufferedBytes = 3000
            $0.limits.headerTimeout = .seconds(5)
            $0.limits.bodyTimeout = .seconds(8)
            $0.limits.keepAlive = .seconds(20)
        }
    }

    enum Nature {
        /// Storable, whoever asks.
        case solid
        case noStore, cookie, personal, common, varying, long
        /// A document for two bindings.
        case document
    }

    static func nature(_ id: Int) -> Nature {
        switch id {
        case 2: .noStore
        case 3: .cookie
        case 4: .personal
        case 5: .common
        case 6: .varying
        case 7: .long
        case 8, 9: .document
        default: .solid
        }
    }

    static func fields(_ id: Int, client: Int) -> String {
        switch nature(id) {
        case .solid where id == 1: "Cache-Control: max-age=20, stale-while-revalidate=10\r\n"
        case .solid, .long, .document: "Cache-Control: max-age=20\r\n"
        case .noStore: "Cache-Control: no-store\r\nSet-Cookie: c=\(client)\r\n"
        case .cookie: "Cache-Control: max-age=20\r\nSet-Cookie: c=\(client)\r\n"
        case .personal: "Cache-Control: max-age=20\r\n"
        case .common: "Cache-Control: public, max-age=20\r\n"
        case .varying: "Cache-Control: max-age=20\r\nVary: X-Lang\r\n"
        }
    }

    /// Every byte of a version: of this resource, and where it matters of this client and this language.
    static func body(_ id: Int, version: Int, authorization: String?, language: String) -> String {
        let stem = "\(id).\(version)."
        switch nature(id) {
        case .personal: return stem + (authorization ?? "nobody") + ";"
        case .varying: return stem + language + ";"
        case .long: return String(repeating: stem, count: 2500)
        case .document:
            // In every fifth version one of the values has drifted.
            let a = version % 5 == 4 ? #""drift""# : "[\(id), \(version)]"
            return #"{"a": \#(a), "b": "\#(stem)", "c": null}"#
        default: return String(repeating: stem, count: 20)
        }
    }
}
