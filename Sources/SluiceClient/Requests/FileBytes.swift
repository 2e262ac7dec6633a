internal import SluiceFiles
internal import Glibc

/// The bytes of a file, read piece by piece as they are wanted: anew by each call that sends them.
public struct FileBytes: AsyncSequence, Sendable {
    /// A piece of the file: at most 256 KiB.
    public typealias Element = [UInt8]

    /// Where the file is.
    public let path: String
    /// How many bytes the file had when it was looked at; nil where only reading tells, as with the files of `/proc`.
    public let length: Int?

    private static let pieceBytes = 256 << 10

    /// Looks at the file at `path`.
    ///
    /// - Throws: ``CallError/encode(_:)`` where nothing is there, or something that is no file.
    public init(_ path: String) throws(CallError) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw Self.unreadable(path, FileReader.Failure(code: errno)) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw .encode("'\(path)' is no file: what comes from elsewhere goes as a stream.")
        }
        self.path = path
        length = status.st_size > 0 ? Int(status.st_size) : nil
    }

    /// Reads the file from its beginning, on a thread that waits for disks.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let path: String
        private var file: OpenFile?
        private var isEnded = false

        fileprivate init(path: String) {
            self.path = path
        }

        /// - Throws: ``CallError/encode(_:)`` where the file cannot be read.
        public mutating func next() async throws -> [UInt8]? {
            if isEnded { return nil }
            let (read, piece) = try await OpenFile.piece(of: file, at: path, upTo: FileBytes.pieceBytes)
            file = read
            isEnded = piece.isEmpty
            return isEnded ? nil : piece
        }
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(path: path) }

    fileprivate static func unreadable(_ path: String, _ failure: FileReader.Failure) -> CallError {
        .encode("'\(path)' cannot be read: \(failure).")
    }
}

/// A file that is being read.
private final class OpenFile: Sendable {
    private let descriptor: Int32

    private init(_ path: String) throws(FileReader.Failure) {
        descriptor = try FileReader.descriptor(of: path)
    }

    deinit { close(descriptor) }

    /// The next piece of a file, which is opened before the first: on the thread that waits for disks.
    static func piece(
        of file: OpenFile?, at path: String, upTo countMax: Int
    ) async throws -> (file: OpenFile, piece: [UInt8]) {
        try await withCheckedThrowingContinuation { continuation in
            FileThread.run {
                do throws(FileReader.Failure) {
                    let file = if let file { file } else { try OpenFile(path) }
                    continuation.resume(
                        returning: (file, try FileReader.piece(of: file.descriptor, upTo: countMax)))
                } catch {
                    continuation.resume(throwing: FileBytes.unreadable(path, error))
                }
            }
        }
    }
}
