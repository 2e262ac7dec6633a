internal import SluiceContract

/// What is read of an HTTP archive (HAR 1.2), as browsers and proxies write it.
struct HARDocument: Decodable {
    var log: Log

    struct Log: Decodable {
        var entries: [Entry]
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
