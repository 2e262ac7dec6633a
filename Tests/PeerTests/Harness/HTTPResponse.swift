/// An answer as it came over the wire.
struct HTTPResponse: Equatable {
    var version = ""
    var status = 0
    var reason = ""
    /// In order, duplicates kept.
    var fields: [Field] = []
    var body: [UInt8] = []
    var trailers: [Field] = []
    /// Answers with a 1xx status that came before.
    var interim: [HTTPResponse] = []
    /// How the end of the body was told.
    var framing = Framing.none
    /// Whether the end came as `framing` promised; an answer that was cut short is not complete.
    var isComplete = false

    struct Field: Equatable {
        var name: String
        var value: String
    }

    enum Framing: Equatable {
        /// No body by definition: 1xx, 204, 304, or an answer to HEAD.
        case none
        case length(Int)
        case chunked
        case close
    }

    /// All values of a field, in order.
    func values(_ name: String) -> [String] {
        fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    /// The value of a field that stands there once; nil where it is absent.
    subscript(name: String) -> String? {
        values(name).first
    }

    var text: String {
        String(decoding: body, as: UTF8.self)
    }
}

extension HTTPResponse.Framing {
    /// RFC 9112 §6.3, for answers.
    init(of head: HTTPResponse, to method: String) throws {
        if method == "HEAD" || head.status < 200 || head.status == 204 || head.status == 304 {
            self = .none
        } else if let coding = head["Transfer-Encoding"] {
            guard coding.lowercased() == "chunked" else { throw HarnessError("transfer coding \(coding)") }
            self = .chunked
        } else if let length = head["Content-Length"] {
            guard let count = Int(length), head.values("Content-Length").count == 1 else {
                throw HarnessError("content length \(head.values("Content-Length"))")
            }
            self = .length(count)
        } else {
            self = .close
        }
    }
}
