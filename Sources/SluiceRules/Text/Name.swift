/// Names that an author chooses.
package enum Name {
    /// Upstreams: they stand in front of a space in `to:`.
    package static let pattern = "^[A-Za-z0-9_.-]+$"
    /// Types begin with a capital.
    package static let typePattern = "^[A-Z][A-Za-z0-9_.]*$"

    package static func isUpstream(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { $0.isLetter || $0.isDigit || "_.-".utf8.contains($0) }
    }

    package static func isType(_ name: String) -> Bool {
        guard let first = name.utf8.first, first.isLetter, first < UInt8(ascii: "a") else { return false }
        return name.utf8.allSatisfy { $0.isLetter || $0.isDigit || "_.".utf8.contains($0) }
    }

    /// An element of XML, without a prefix.
    package static func isElement(_ name: String) -> Bool {
        guard let first = name.utf8.first, first.isLetter || first == UInt8(ascii: "_") else { return false }
        return name.utf8.allSatisfy { $0.isLetter || $0.isDigit || "_.-".utf8.contains($0) }
    }

    /// RFC 9110 §5.6.2 `token`: field names, cookie names, methods.
    package static func isToken(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { $0.isLetter || $0.isDigit || "!#$%&'*+-.^_`|~".utf8.contains($0) }
    }
}

extension UInt8 {
    package var isLetter: Bool { (0x41...0x5a).contains(self) || (0x61...0x7a).contains(self) }
    package var isDigit: Bool { (0x30...0x39).contains(self) }
    package var isHexDigit: Bool { isDigit || (0x41...0x46).contains(self) || (0x61...0x66).contains(self) }
}
