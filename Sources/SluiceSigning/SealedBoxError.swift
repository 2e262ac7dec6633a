/// Why something cannot be sealed or opened. The description is to be shown after the file's name.
public enum SealedBoxError: Error, Hashable, Sendable {
    /// The key has this many bytes.
    case keyLength(Int)
    /// The bytes to be opened were never sealed.
    case notSealed
    /// Sealed by a later version of the program.
    case unknownVersion(UInt8)
    /// The key or the context is not the one used for sealing, or bytes were changed or cut off.
    case wrongKeyOrDamaged
}

extension SealedBoxError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .keyLength(let count):
            "the key has \(count) bytes and needs \(SealedBox.keyBytes): make one with `openssl rand -out FILE 32`"
        case .notSealed: "it is not sealed: leave out the key, or seal it first"
        case .unknownVersion(let version):
            "it is sealed in version \(version) of the format, and this program knows \(SealedBox.version): update it"
        case .wrongKeyOrDamaged:
            "it does not open: give the key that it was sealed with; if that is the one, the file is damaged"
        }
    }
}
