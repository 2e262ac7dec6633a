extension String {
    /// What an upstream sends commands no terminal: control characters are shown as U+FFFD.
    var printable: String {
        func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) }
        guard unicodeScalars.contains(where: isControl) else { return self }
        return unicodeScalars.map { isControl($0) ? "\u{FFFD}" : String($0) }.joined()
    }

    /// The same of a text with lines of its own: their ends stay, and so do tabs.
    var printableLines: String {
        map { $0 == "\r\n" ? "\n" : $0 == "\n" || $0 == "\t" ? String($0) : String($0).printable }.joined()
    }
}
