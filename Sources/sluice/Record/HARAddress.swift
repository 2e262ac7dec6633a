internal import SluiceContract
internal import SluiceHTTP

/// A URL of an archive, in its parts. User and password, which some programs write into it, are none of them.
struct HARAddress {
    /// Scheme and authority.
    let origin: String
    /// Path and query.
    let target: String

    init(_ url: String) {
        let url = url.prefix { $0 != "#" }
        let rest = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url
        let start = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        let authority = rest[..<start]
        let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        origin = String(url[..<rest.startIndex]) + host
        target = rest[start...].hasPrefix("/") ? String(rest[start...]) : "/" + rest[start...]
    }

    /// For people, without what sounds like a credential, and in one line.
    static func name(of entry: HARDocument.Entry) -> String {
        let address = HARAddress(entry.request.url)
        let url = Array((address.origin + address.target).utf8).withUnsafeBytes { QueryMask.text($0) }
        let text = "\(entry.request.method.prefix(40)) \(url)"
        return String(
            String.UnicodeScalarView(
                text.unicodeScalars.filter { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }))
    }
}
