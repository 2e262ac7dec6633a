internal import SluiceContract
internal import SluiceJSON

/// The members of an HTTP archive (HAR 1.2) that are read, as browsers and proxies write it.
struct HARDocument: Decodable {
    var log: Log

    /// - Throws: `JSONReading.Malformed`, or `DecodingError` where it is no archive at all.
    static func read(_ bytes: [UInt8]) throws -> HARDocument {
        // Fiddler and others begin with a byte order mark, which a parser may ignore (RFC 8259 §8.1).
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes
        // Sizes are checked entry by entry: one long video must not make the others unreadable.
        var limits = JSONLimits()
        (limits.stringBytes, limits.documentBytes) = (text.count, text.count)
        return try JSONReading.value(HARDocument.self, of: text, limits: limits)
    }

    struct Log: Decodable {
        var entries: [Item]
    }

    /// An entry, or why it cannot be read; the other entries are read all the same.
    enum Item: Decodable {
        case entry(Entry)
        case unreadable(why: String)

        init(from decoder: any Decoder) {
            do {
                self = .entry(try Entry(from: decoder))
            } catch {
                self = .unreadable(why: Self.words(error, below: decoder.codingPath.count))
            }
        }

        /// The place in the entry and the expected type, but nothing of the content.
        private static func words(_ error: any Error, below depth: Int) -> String {
            guard let context = (error as? DecodingError)?.context else { return "it cannot be read" }
            let place = context.place(below: depth)
            return place.isEmpty ? context.debugDescription : "\(place): \(context.debugDescription)"
        }
    }

    /// Why a file is no archive: what is missing or of another kind, and where, but nothing of the content.
    /// - Parameter error: what ``read(_:)`` has thrown.
    static func reason(_ error: any Error) -> String {
        guard let error = error as? DecodingError, let context = error.context else { return "\(error)" }
        let place = context.place(below: 0)
        if case .keyNotFound(let key, _) = error {
            return "\(place.isEmpty ? "it" : "'\(place)'") has no member '\(key.stringValue)'"
        }
        return place.isEmpty ? context.debugDescription : "'\(place)': \(context.debugDescription)"
    }

    struct Entry: Decodable {
        var startedDateTime: String?
        var time: Double?
        var request: Request
        var response: Response
        /// Of this project: the name of the upstream, where the archive was written by it.
        var _upstream: String?
        var _binding: String?
    }

    struct Field: Decodable {
        var name: String
        var value: String
    }

    struct Request: Decodable {
        var method: String
        var url: String
        var headers: [Field]?
        var postData: PostData?
    }

    struct PostData: Decodable {
        var text: String?
        /// Of this project: `base64` where the content is no text.
        var _encoding: String?
    }

    struct Response: Decodable {
        var status: Int
        var headers: [Field]?
        var content: Content?
    }

    struct Content: Decodable {
        var text: String?
        var encoding: String?
    }
}

extension DecodingError {
    fileprivate var context: Context? {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            context
        @unknown default: nil
        }
    }
}

extension DecodingError.Context {
    /// `log.entries[0]`; empty for the value itself.
    /// - Parameter depth: how many keys lead to the value that is read.
    fileprivate func place(below depth: Int) -> String {
        let keys = codingPath.dropFirst(depth).map(\.stringValue)
        guard let first = keys.first else { return "" }
        return keys.dropFirst().reduce(first) { $1.hasPrefix("[") ? $0 + $1 : "\($0).\($1)" }
    }
}
