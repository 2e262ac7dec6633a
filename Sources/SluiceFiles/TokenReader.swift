internal import SluiceContract
internal import Glibc

/// Why a token file cannot be used. The reason does not reveal the file's contents.
public struct TokenFileError: Error, Hashable, Sendable, CustomStringConvertible {
    public let path: String
    public let reason: String

    public init(path: String, reason: String) {
        self.path = path
        self.reason = reason
    }

    public var description: String { "\(path): \(reason)" }
}

/// Reads a token, a password or a key from a file, if no other user can read the file.
public enum TokenReader {
    /// The token in the file at `path`.
    public static func read(path: String, credentialsDirectory: String?) throws(TokenFileError) -> String {
        let bytes = try bytes(path: path, credentialsDirectory: credentialsDirectory)
        do throws(TokenText.Fault) {
            return try TokenText.read(bytes)
        } catch {
            throw TokenFileError(path: path, reason: error.reason)
        }
    }

    /// The bytes of the key file at `path`; of a file that is too long, only the beginning.
    public static func bytes(path: String, credentialsDirectory: String?) throws(TokenFileError) -> [UInt8] {
        func failure(_ reason: String) -> TokenFileError { TokenFileError(path: path, reason: reason) }
        // O_NONBLOCK: opening a FIFO must not block; it is refused below.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw failure(String(cString: strerror(errno))) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure(String(cString: strerror(errno))) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw failure("is not a regular file") }
        guard
            let file = SecretFile(path: path, descriptor: descriptor, credentialsDirectory: credentialsDirectory)
        else { throw failure("has vanished") }
        if case .refused(let objection) = file.verdict {
            throw failure("\(objection.reason); run: \(objection.command) \(path)")
        }
        guard let bytes = contents(of: descriptor) else { throw failure(String(cString: strerror(errno))) }
        return bytes
    }

    /// The file's bytes, at most one more than is allowed; nil if reading failed.
    private static func contents(of descriptor: Int32) -> [UInt8]? {
        var isFailed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: TokenText.bytesMax + 1) { buffer, count in
            while count < buffer.count {
                let result = pread(descriptor, buffer.baseAddress! + count, buffer.count - count, off_t(count))
                if result < 0, errno == EINTR { continue }
                isFailed = result < 0
                guard result > 0 else { return }
                count += result
            }
        }
        return isFailed ? nil : bytes
    }
}
