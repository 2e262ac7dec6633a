extension String {
    /// What an upstream sends commands no terminal: control characters are shown as U+FFFD.
    var printable: String {
        func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) }
        guard unicodeScalars.contains(where: isControl) else { return self }
        return unicodeScalars.map { isControl($0) ? "\u{FFFD}" : String($0) }.joined()
    }
}
