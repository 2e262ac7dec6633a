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
}
