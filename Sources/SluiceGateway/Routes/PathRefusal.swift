internal import SluiceHTTP

/// Why a path is refused: two programs could read it differently.
enum PathRefusal {
    /// - Parameter path: percent-encoded.
    /// - Returns: what is wrong with the path; nil where all programs read it the same.
    static func reason(_ path: UnsafeRawBufferPointer) -> String? {
        let check = PathCheck(path)
        if check.contains(.dotSegment) { return "The path has '.' or '..' segments; send the path that is meant." }
        if check.contains(.malformed) { return "The path has a '%' without two hexadecimal digits after it." }
        if !check.isDisjoint(with: [.nul, .control, .backslash, .overlong]) {
            return "The path holds a control character, a backslash or malformed UTF-8."
        }
        return nil
    }

    /// Whether a value, not encoded, is a name in a path: neither nothing nor what another program reads as another
    /// resource.
    static func isName(_ value: UnsafeRawBufferPointer) -> Bool {
        if value.isEmpty { return false }
        if PathCheck.isPlain(value) { return true }
        return PercentEncoding.encoded(Array(value)).withUnsafeBytes { reason($0) } == nil
    }
}
