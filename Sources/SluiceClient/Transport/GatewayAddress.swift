internal import SluiceHTTP
internal import Glibc

/// Where a gateway listens: `http://127.0.0.1:8080`, `http://localhost:8080/base`, `unix:/run/sluice.sock`.
///
/// A path behind the port is put before the target of every request.
public struct GatewayAddress: Sendable, Hashable {
    enum Place: Sendable, Hashable {
        /// A name or a literal, without the brackets of IPv6.
        case tcp(host: String, port: Int)
        case unix(path: String)
    }

    let place: Place
    /// What `Host` says (RFC 9110 §7.2).
    let authority: String
    /// Put before every target; empty, or a path that begins with a slash and does not end with one.
    let base: String

    /// The variable that ``environment`` reads.
    static let variable = "SLUICE_URL"

    /// - Parameter text: `http://HOST[:PORT][/BASE]` or `unix:PATH`, where a leading `@` names an abstract socket.
    /// - Throws: what is wrong with it, and what to write instead.
    public init(_ text: String) throws(AddressError) {
        if let path = Self.rest(of: text, after: "unix:") {
            guard path.utf8.count <= 107, let first = path.utf8.first, !path.utf8.contains(0) else {
                throw AddressError("'\(text)' names no socket: write unix:/PATH, with a path of at most 107 bytes")
            }
            guard first == UInt8(ascii: "/") || first == UInt8(ascii: "@") else {
                throw AddressError("'\(text)' has no absolute path: write unix:/PATH")
            }
            place = .unix(path: path)
            authority = "localhost"
            base = ""
            return
        }
        guard let rest = Self.rest(of: text, after: "http://") else {
            throw AddressError(
                "'\(text)' is no address of a gateway: write http://127.0.0.1:8080 or unix:/run/sluice.sock")
        }
        let authority = rest.prefix { $0 != "/" }
        let (host, port) = try Self.hostAndPort(authority, of: text)
        place = .tcp(host: host, port: port)
        self.authority = String(authority)
        base = try Self.base(rest.dropFirst(authority.count), of: text)
    }

    /// The address in the variable `SLUICE_URL`; nil where it is not set, or empty.
    public static var environment: GatewayAddress? {
        get throws(AddressError) {
            guard let value = getenv(variable), value.pointee != 0 else { return nil }
            do throws(AddressError) {
                return try GatewayAddress(String(cString: value))
            } catch {
                throw AddressError("\(variable): \(error)")
            }
        }
    }

    /// Schemes compare in any case (RFC 3986 §3.1).
    private static func rest(of text: String, after scheme: String) -> String? {
        guard text.utf8.count >= scheme.utf8.count, text.prefix(scheme.count).lowercased() == scheme else { return nil }
        return String(text.dropFirst(scheme.count))
    }

    private static func hostAndPort(
        _ authority: Substring, of text: String
    ) throws(AddressError) -> (host: String, port: Int) {
        let found = Array(authority.utf8).withUnsafeBytes { bytes in
            HostField(bytes).map { (String(decoding: $0.host, as: UTF8.self), $0.port) }
        }
        guard let (host, port) = found else {
            throw AddressError("'\(text)' names no host and port: write http://127.0.0.1:8080")
        }
        return (host, port ?? 80)
    }

    private static func base(_ path: Substring, of text: String) throws(AddressError) -> String {
        var path = path
        while path.last == "/" { path.removeLast() }
        if path.isEmpty { return "" }
        guard Array(path.utf8).withUnsafeBytes({ FieldValue.isTarget($0) }), !path.utf8.contains(UInt8(ascii: "?"))
        else {
            throw AddressError("'\(text)' has more than a path behind its port: leave query and fragment out")
        }
        return String(path)
    }
}

extension GatewayAddress: CustomStringConvertible {
    public var description: String {
        switch place {
        case .tcp: "http://\(authority)\(base)"
        case .unix(let path): "unix:\(path)"
        }
    }
}
