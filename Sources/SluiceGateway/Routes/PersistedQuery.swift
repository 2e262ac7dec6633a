internal import SluiceContract
internal import SluiceJSON
internal import SluiceSigning
internal import Synchronization

/// A query that is sent as its SHA-256, and in full where the server does not know that digest (Apollo's automatic
/// persisted queries); shared by all loops.
final class PersistedQuery: Sendable {
    /// The JSON of `extensions` with the query's digest.
    let extensions: String
    let wholeOpening: [UInt8]
    let plainOpening: [UInt8]
    /// The server has said that it keeps no queries.
    private let refused = Atomic<Bool>(false)

    init(_ text: String) {
        extensions = Self.extensions(digest: Hexadecimal.text(HashFunction.sha256.digest(of: Array(text.utf8))))
        let query = "{\"query\":" + JSONText.quote(text)
        wholeOpening = Array("\(query),\"extensions\":\(extensions),\"variables\":".utf8)
        plainOpening = Array("\(query),\"variables\":".utf8)
    }

    static func extensions(digest: String) -> String {
        "{\"persistedQuery\":{\"version\":1,\"sha256Hash\":\(JSONText.quote(digest))}}"
    }

    var isUnsupported: Bool { refused.load(ordering: .relaxed) }

    /// From now on no request sends the digest, until the configuration is read again.
    func noteUnsupported() { refused.store(true, ordering: .relaxed) }

    /// Why a server does not answer a digest.
    enum Refusal {
        case unknown, unsupported

        /// Reads the first error of the answer; some servers send only a message or only a code.
        init?(message: String?, code: String?) {
            if message == "PersistedQueryNotFound" || code == "PERSISTED_QUERY_NOT_FOUND" {
                self = .unknown
            } else if message == "PersistedQueryNotSupported" || code == "PERSISTED_QUERY_NOT_SUPPORTED" {
                self = .unsupported
            } else {
                return nil
            }
        }

        static let message = FieldPath(components: [.key("errors"), .index(0), .key("message")])
        static let code = FieldPath(components: [.key("errors"), .index(0), .key("extensions"), .key("code")])
    }
}

/// The slices of a plan that tell whether the server knows the digest.
struct PersistedSlices: Sendable {
    let messageSlice: Int
    let codeSlice: Int
    let extractions: [Extraction]

    init(from first: Int) {
        (messageSlice, codeSlice) = (first, first + 1)
        extractions = [PersistedQuery.Refusal.message, PersistedQuery.Refusal.code].map {
            Extraction(path: $0, type: .optional(.scalar(.json)))
        }
    }
}
