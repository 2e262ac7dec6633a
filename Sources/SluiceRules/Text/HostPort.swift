internal import SluiceContract

/// `host:port` texts, and what kind of host one is.
package enum HostPort {
    /// Splits `127.0.0.1:80`, `name:80` and `[::1]:80`; brackets do not stay. nil where there is no port.
    package static func split(_ text: String) -> (host: String, port: Int)? {
        guard let colon = text.lastIndex(of: ":"), let port = decimal(text[text.index(after: colon)...]) else {
            return nil
        }
        let host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            let inner = String(host.dropFirst().dropLast())
            return isIPv6(inner) ? (inner, port) : nil
        }
        guard !host.isEmpty, !host.contains(":"), !host.contains("[") else { return nil }
        return (String(host), port)
    }

    package static func decimal(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy(\.isDigit) else { return nil }
        return Int(text)
    }

    /// Four decimal octets (RFC 3986 §3.2.2).
    package static func isIPv4(_ host: String) -> Bool {
        let octets = host.split(separator: ".", omittingEmptySubsequences: false)
        return octets.count == 4
            && octets.allSatisfy { octet in
                guard octet.utf8.count <= 3, let value = decimal(octet), value <= 255 else { return false }
                return octet.utf8.count == 1 || octet.first != "0"
            }
    }

    /// RFC 4291 §2.2, the last 32 bits as IPv4 included; no zone.
    package static func isIPv6(_ host: String) -> Bool {
        let halves = host.parts(between: "::").map(String.init)
        guard host.contains(":"), halves.count <= 2, !host.contains(":::") else { return false }
        var groupCount = 0
        for (index, half) in halves.enumerated() where !half.isEmpty {
            let groups = half.split(separator: ":", omittingEmptySubsequences: false)
            for (position, group) in groups.enumerated() {
                let isLast = index == halves.count - 1 && position == groups.count - 1
                if isLast, isIPv4(String(group)) {
                    groupCount += 2
                } else if (1...4).contains(group.utf8.count), group.utf8.allSatisfy(\.isHexDigit) {
                    groupCount += 1
                } else {
                    return false
                }
            }
        }
        return halves.count == 2 ? groupCount <= 7 : groupCount == 8
    }

    package static func isLoopback(_ host: String) -> Bool {
        (isIPv4(host) && host.hasPrefix("127.")) || host == "::1"
    }

    /// A registered name as DNS has them: labels of letters, digits and hyphens.
    package static func isName(_ host: String) -> Bool {
        guard host.utf8.count <= 253 else { return false }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        return labels.allSatisfy { label in
            (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
                && label.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") || $0 == 0x5f }
        }
    }
}
