import SluiceContract

@testable import SluiceGateway

/// What clients and origins of a cache simulation agree about: resources that change, each by rules of its own.
enum CachedWorld {
    static let resources = 16
    /// Longest that an answer may be behind what the origin has confirmed: freshness, staleness that is allowed, and
    /// one fetch; of one that is made of two responses, another one.
    static let behindMax: UInt64 = (20 + 10 + 13) * 1_000_000_000
    static let fetchMax: UInt64 = 13 * 1_000_000_000
    static let languages = ["de", "en"]

    static func configuration() throws -> Configuration {
        var bindings = [
            try Build.binding("ANY /raw/**", to: "o /raw/**") {
                $0.follow = .sameOrigin
                $0.cache = CachePolicy()
            },
            try Build.binding("GET /list/{id}", to: "o /raw/{id}", value: "[String]") {
                $0.parameters = [try Build.parameter("id", "Int", in: .path)]
                $0.pages = PagePolicy(.link)
                $0.cache = CachePolicy()
            },
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
        /// A redirect to what everybody may have, and that; a redirect that is for one client, though what stands at
        /// its end is for everybody who asks there.
        case moved, end, movedForOne, endForOne
        /// The first page of a list, and the second, which sometimes is for one client.
        case list, page
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
        case 10: .moved
        case 11: .end
        case 12: .movedForOne
        case 13: .endForOne
        case 14: .list
        case 15: .page
        default: .solid
        }
    }

    /// The resources whose content an answer to a request for this one has.
    static func sources(_ id: Int) -> [Int] {
        switch nature(id) {
        case .moved, .movedForOne: [id + 1]
        case .list: [id, id + 1]
        default: [id]
        }
    }

    static func mayBeForOne(_ version: Int) -> Bool { version % 3 == 2 }

    static func fields(_ id: Int, version: Int, client: Int) -> String {
        switch nature(id) {
        case .solid where id == 1: "Cache-Control: max-age=20, stale-while-revalidate=10\r\n"
        case .solid, .long, .document, .end, .endForOne: "Cache-Control: max-age=20\r\n"
        case .moved: "Cache-Control: max-age=20\r\nLocation: /raw/\(id + 1)\r\n"
        case .movedForOne:
            (mayBeForOne(version) ? "Vary: X-Client\r\n" : "Cache-Control: private, max-age=20\r\n")
                + "Location: /raw/\(id + 1)?for=\(client)\r\n"
        case .list: "Cache-Control: max-age=20\r\nLink: </raw/\(id + 1)>; rel=\"next\"\r\n"
        case .page: "Cache-Control: \(mayBeForOne(version) ? "private, " : "")max-age=20\r\n"
        case .noStore: "Cache-Control: no-store\r\nSet-Cookie: c=\(client)\r\n"
        case .cookie: "Cache-Control: max-age=20\r\nSet-Cookie: c=\(client)\r\n"
        case .personal: "Cache-Control: max-age=20\r\n"
        case .common: "Cache-Control: public, max-age=20\r\n"
        case .varying: "Cache-Control: max-age=20\r\nVary: X-Lang\r\n"
        }
    }

    /// Every byte of a version: of this resource, and where it matters of this client and this language.
    /// - Parameter owner: the client that a redirect has named.
    static func body(
        _ id: Int, version: Int, client: Int, owner: Int? = nil, authorization: String?, language: String
    ) -> String {
        let stem = "\(id).\(version)."
        switch nature(id) {
        case .personal: return stem + (authorization ?? "nobody") + ";"
        case .varying: return stem + language + ";"
        case .long: return String(repeating: stem, count: 2500)
        case .document:
            // In every fifth version one of the values has drifted.
            let a = version % 5 == 4 ? #""drift""# : "[\(id), \(version)]"
            return #"{"a": \#(a), "b": "\#(stem)", "c": null}"#
        case .endForOne: return stem + (owner.map { "\($0)" } ?? "nobody") + ";"
        case .list: return #"["\#(stem)"]"#
        case .page: return #"["\#(stem)\#(mayBeForOne(version) ? "\(client)" : "")"]"#
        default: return String(repeating: stem, count: 20)
        }
    }
}
