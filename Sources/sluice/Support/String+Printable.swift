extension String {
    /// The text without control over a terminal or the direction of text: control characters, and those that set the
    /// direction (UAX #9 §2), become U+FFFD.
    var printable: String {
        guard unicodeScalars.contains(where: Self.isCommand) else { return self }
        return unicodeScalars.map { Self.isCommand($0) ? "\u{FFFD}" : String($0) }.joined()
    }

    /// The same for a text of several lines: line ends and tabs stay.
    var printableLines: String {
        map { $0 == "\r\n" ? "\n" : $0 == "\n" || $0 == "\t" ? String($0) : String($0).printable }.joined()
    }

    private static func isCommand(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0: true
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
