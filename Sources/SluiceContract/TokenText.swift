/// The content of a file that holds a token or a password. The page's reader and the daemon read it alike.
public enum TokenText {
    /// A longer file is no token.
    public static let bytesMax = 16 << 10

    /// Why it is none; says nothing of what it is.
    public struct Fault: Error, Hashable, Sendable {
        public var reason: String
    }

    /// The token, without the white space around it.
    public static func read(_ bytes: [UInt8]) throws(Fault) -> String {
        guard bytes.count <= bytesMax else { throw Fault(reason: "is longer than \(bytesMax) bytes") }
        let lead = bytes.drop(while: isSpace)
        let token = lead.dropLast(lead.reversed().prefix(while: isSpace).count)
        guard !token.isEmpty else { throw Fault(reason: "is empty") }
        if let index = token.firstIndex(where: { !isVisible($0) }) {
            throw Fault(reason: "holds a blank, a control character or a non-ASCII character at byte \(index)")
        }
        return String(decoding: token, as: UTF8.self)
    }

    /// What can stand behind `Bearer ` in a field (RFC 9110 §5.5); RFC 6750 §2.1 is narrower than what APIs hand out,
    /// and a blank would make two words of the credentials.
    public static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(isVisible)
    }

    /// A blank, a tab or a line end.
    private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

    private static func isVisible(_ byte: UInt8) -> Bool { (0x21...0x7E).contains(byte) }
}
