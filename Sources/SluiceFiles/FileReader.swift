internal import Glibc

/// Reads what has an end, whole: a file, standard input, and a pipe where one is welcome.
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
            case ESPIPE: "it is a pipe, and no file"
            case ENODEV: "it is a device, and no file"
            default: String(cString: strerror(code))
            }
        }
    }

    private static let pieceBytes = 64 << 10

    /// The bytes of the file at `path`.
    /// - Parameters:
    ///   - countMax: bytes; more are a failure (`EFBIG`), whatever the file claims to have.
    ///   - mayWait: whether pipes and devices are read, too, however long that takes.
    public static func contents(
        of path: String, atMost countMax: Int = .max, mayWait: Bool = false
    ) throws(Failure) -> [UInt8] {
        let descriptor = try mayWait ? anyDescriptor(of: path, O_RDONLY) : Self.descriptor(of: path)
        defer { close(descriptor) }
        return try rest(of: descriptor, atMost: countMax)
    }

    /// A descriptor to read the file at `path` from, which is a regular one; its caller closes it.
    public static func descriptor(of path: String) throws(Failure) -> Int32 {
        // A FIFO must not hold us up: it is refused below.
        let descriptor = try anyDescriptor(of: path, O_RDONLY | O_NONBLOCK)
        if let failure = refusal(of: descriptor) {
            close(descriptor)
            throw failure
        }
        return descriptor
    }

    private static func anyDescriptor(of path: String, _ flags: Int32) throws(Failure) -> Int32 {
        let descriptor = open(path, flags | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw Failure(code: errno) }
        return descriptor
    }

    /// Why this is no regular file; nil where it is one, which is then read as any other.
    private static func refusal(of descriptor: Int32) -> Failure? {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return Failure(code: errno) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: return Failure(code: EISDIR)
        case S_IFIFO: return Failure(code: ESPIPE)
        default: return Failure(code: ENODEV)
        }
        let flags = fcntl(descriptor, F_GETFL)
        guard flags >= 0, fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK) == 0 else { return Failure(code: errno) }
        return nil
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
