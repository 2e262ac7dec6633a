internal import Glibc

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
            case EFBIG: "it is too large"
            default: String(cString: strerror(code))
            }
        }
    }

    private static let pieceBytes = 64 << 10

    /// The bytes of the file at `path`.
    /// - Parameter countMax: bytes; more are a failure (`EFBIG`), whatever the file claims to have.
    public static func contents(of path: String, atMost countMax: Int = .max) throws(Failure) -> [UInt8] {
        let descriptor = try descriptor(of: path)
        defer { close(descriptor) }
        return try rest(of: descriptor, atMost: countMax)
    }

    /// A descriptor to read the file at `path` from; its caller closes it.
    public static func descriptor(of path: String) throws(Failure) -> Int32 {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw Failure(code: errno) }
        return descriptor
    }

    /// What is still to come from a descriptor, which is waited for.
    /// - Parameter countMax: bytes; more are a failure (`EFBIG`).
    public static func rest(of descriptor: Int32, atMost countMax: Int = .max) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let piece = try piece(of: descriptor, upTo: pieceBytes)
            if piece.isEmpty { return bytes }
            guard piece.count <= countMax - bytes.count else { throw Failure(code: EFBIG) }
            bytes += piece
        }
    }

    /// The next bytes of a descriptor, which are waited for; none at its end.
    public static func piece(of descriptor: Int32, upTo countMax: Int) throws(Failure) -> [UInt8] {
        var failure: Int32?
        let piece = [UInt8](unsafeUninitializedCapacity: countMax) { buffer, count in
            var result = read(descriptor, buffer.baseAddress, buffer.count)
            while result < 0, errno == EINTR { result = read(descriptor, buffer.baseAddress, buffer.count) }
            if result < 0 { failure = errno }
            count = max(0, result)
        }
        if let failure { throw Failure(code: failure) }
        return piece
    }
}
