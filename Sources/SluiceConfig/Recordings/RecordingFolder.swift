public import SluiceContract
import SluiceFiles
import SluiceRules

/// A folder of recorded exchanges: one file each, in a folder for each upstream.
public struct RecordingFolder: Sendable {
    public let path: String
    private let surroundings: Surroundings

    public init(_ path: String, surroundings: Surroundings = .disk) {
        self.path = path
        self.surroundings = surroundings
    }

    /// The outcome of reading the folder.
    public struct Contents: Sendable {
        public var recordings: Recordings
        public var mistakes: [Mistake]
    }

    /// Reads all recordings of the folder.
    /// - Throws: where there is no such folder, or more in it than the limits allow.
    public func read() throws(UnreadableFile) -> Contents {
        var exchanges: [RecordedExchange] = []
        var mistakes: [Mistake] = []
        var digest: UInt64 = 0xcbf2_9ce4_8422_2325
        var total = 0
        for file in try files() {
            let bytes = try contents(of: file)
            // FNV-1a is enough to distinguish sets of recordings; it protects nothing.
            for byte in Array(file.utf8) + bytes { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01b3 }
            do {
                let exchange = try RecordingFile.exchange(of: bytes, name: file)
                total += exchange.body.count + exchange.requestBody.count
                exchanges.append(exchange)
            } catch {
                mistakes += error.mistakes
            }
            guard exchanges.count <= Recordings.countMax, total <= Recordings.totalBytesMax else {
                throw UnreadableFile(
                    path: path,
                    reason: "more than \(Recordings.countMax) exchanges, or \(Recordings.totalBytesMax >> 20) MiB; "
                        + "replay a part of them")
            }
        }
        return Contents(
            recordings: Recordings(exchanges, digest: String(digest, radix: 16)), mistakes: mistakes)
    }

    /// Reads a file, unless it is a pipe or device, which may have no end, or longer than a recording can be.
    private func contents(of file: String) throws(UnreadableFile) -> [UInt8] {
        if let kind = surroundings.kind(file) {
            guard case .file(bytes: let count) = kind else { throw UnreadableFile(path: file, reason: "it is no file") }
            guard count <= Recordings.fileBytesMax else {
                throw UnreadableFile(
                    path: file,
                    reason: "it has \(count >> 20) MiB, and no recording has more than "
                        + "\(Recordings.fileBytesMax >> 20) MiB")
            }
        }
        return try surroundings.contents(file).get()
    }

    /// In order.
    private func files() throws(UnreadableFile) -> [String] {
        // A message of its own, because the error from the disk would speak of files.
        if surroundings.kind(path) == nil { throw UnreadableFile(path: path, reason: "there is no such folder") }
        var files: [String] = []
        for name in try surroundings.names(path).get().sorted() where !name.hasPrefix(".") {
            let entry = "\(path)/\(name)"
            if name.hasSuffix(RecordingFile.ending) {
                files.append(entry)
            } else if surroundings.kind(entry) == .folder {
                let inner = try surroundings.names(entry).get().sorted()
                files += inner.filter { $0.hasSuffix(RecordingFile.ending) }.map { "\(entry)/\($0)" }
            }
        }
        return files
    }

    /// The path of an exchange in the folder. It depends on the request, so that a new recording replaces the old one:
    /// `fruit/GET-api-fruits-limit-3-5f0c2a1b09d4.yaml`. No request can lead out of the folder.
    public static func name(of exchange: RecordedExchange) -> String {
        var digest: UInt64 = 0xcbf2_9ce4_8422_2325
        let asked = Array("\(exchange.upstream) \(exchange.method) \(exchange.target)\n".utf8) + exchange.requestBody
        for byte in asked { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01b3 }
        let hex = String((digest >> 48) ^ (digest & 0xFFFF_FFFF_FFFF), radix: 16)
        let mark = String(repeating: "0", count: 12 - hex.utf8.count) + hex
        let slug = Self.slug(exchange.target)
        let number = exchange.number == 1 ? "" : ".\(exchange.number)"
        return "\(Self.slug(exchange.upstream))/\(Self.slug(exchange.method))-\(slug)-\(mark)\(number)"
            + RecordingFile.ending
    }

    /// The words of a text, reduced to characters that are safe in a file name.
    private static func slug(_ text: String) -> String {
        let words = text.utf8.split { !isPlain($0) }.map { String(decoding: $0, as: UTF8.self) }
        let slug = String(words.joined(separator: "-").prefix(slugMax).drop { $0 == "." })
        return slug.isEmpty ? "root" : slug
    }

    private static let slugMax = 60

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte.isLetter || byte.isDigit || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
    }
}
