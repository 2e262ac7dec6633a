#if canImport(Glibc)
    internal import Glibc
#else
    internal import Musl
#endif

/// Reads what has an end, whole: a file, a pipe, standard input.
public enum FileReader {
    /// An errno.
    public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        public let code: Int32

        public init(code: Int32) { self.code = code }

        public var description: String {
            switch code {
            case EISDIR: "it is a directory"
            case ENOENT: "there is no such file"
            case EACCES, EPERM: "no permission to read it"
            default: String(cString: strerror(code))
            }
        }
    }

    private static let pieceBytes = 64 << 10

    /// The bytes of the file at `path`.
    public static func contents(of path: String) throws(Failure) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw Failure(code: errno) }
        defer { close(descriptor) }
        return try rest(of: descriptor)
    }

    /// What is still to come from a descriptor, which is waited for.
    public static func rest(of descriptor: Int32) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            var failure: Int32?
            let piece = [UInt8](unsafeUninitializedCapacity: pieceBytes) { buffer, count in
                var result = read(descriptor, buffer.baseAddress, buffer.count)
                while result < 0, errno == EINTR { result = read(descriptor, buffer.baseAddress, buffer.count) }
                if result < 0 { failure = errno }
                count = max(0, result)
            }
            if let failure { throw Failure(code: failure) }
            if piece.isEmpty { return bytes }
            bytes += piece
        }
    }
}
