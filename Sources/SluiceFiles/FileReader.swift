internal import Glibc

/// Reads files and standard input as a whole; pipes, too, if the caller allows them.
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
    ///   - countMax: the most bytes; more are a failure (`EFBIG`), whatever size the file claims to have.
    ///   - mayWait: whether pipes and devices are read, too, even if that takes long.
    public static func contents(
        of path: String, atMost countMax: Int = .max, mayWait: Bool = false
    ) throws(Failure) -> [UInt8] {
        let descriptor = try mayWait ? anyDescriptor(of: path, O_RDONLY) : Self.descriptor(of: path)
        defer { close(descriptor) }
        return try rest(of: descriptor, atMost: countMax)
    }

    /// A descriptor for reading the regular file at `path`; the caller closes it.
    public static func descriptor(of path: String) throws(Failure) -> Int32 {
        // O_NONBLOCK: opening a FIFO must not block; it is refused below.
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

    /// Why this is not a regular file; nil if it is one, whose descriptor is then made blocking again.
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

    /// All remaining bytes of a descriptor; waits for them.
    /// - Parameter countMax: the most bytes; more are a failure (`EFBIG`).
    public static func rest(of descriptor: Int32, atMost countMax: Int = .max) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let piece = try piece(of: descriptor, upTo: pieceBytes)
            if piece.isEmpty { return bytes }
            guard piece.count <= countMax - bytes.count else { throw Failure(code: EFBIG) }
            bytes += piece
        }
    }

    /// The next bytes of a descriptor; waits for them. Empty at its end.
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
