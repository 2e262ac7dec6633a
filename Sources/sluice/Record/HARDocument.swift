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
            let context: DecodingError.Context? =
                switch error as? DecodingError {
                case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
                    .dataCorrupted(let context):
                    context
                default: nil
                }
            guard let context else { return "it cannot be read" }
            let keys = context.codingPath.dropFirst(depth).map(\.stringValue)
            guard let first = keys.first else { return context.debugDescription }
            let place = keys.dropFirst().reduce(first) { $1.hasPrefix("[") ? $0 + $1 : "\($0).\($1)" }
            return "\(place): \(context.debugDescription)"
        }
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
