internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// What a 200 becomes by the request's conditions and range (RFC 9110 §13.2.2), whether it is stored or not; any other
/// status goes out as it is.
enum StoredSelection {
    case whole
    case part(Range<Int>, of: Int)
    case notModified
    case failed
    case unsatisfiable(of: Int)

    /// In the order of RFC 9110 §13.2.2; ranges are for GET (§14.2).
    /// - Parameters:
    ///   - fields: of the stored answer.
    ///   - length: of the complete body; nil where it is not known yet.
    init(_ status: Int, _ fields: borrowing HeaderBlock, for request: BoundRequest, length: Int?, now: Int) {
        self = .whole
        if status != 200 { return }
        let validators = Preconditions.Validators(fields)
        switch Preconditions.evaluate(request.head.fields, validators, now: now) {
        case .notModified:
            self = .notModified
            return
        case .failed:
            self = .failed
            return
        case .proceed: break
        }
        guard let length, request.head.method == .get,
            Preconditions.rangeApplies(request.head.fields, validators, now: now)
        else { return }
        switch ByteRange(request.head.fields, length: length) {
        case .whole: break
        case .part(let part): self = .part(part, of: length)
        case .unsatisfiable: self = .unsatisfiable(of: length)
        }
    }

    var isWhole: Bool {
        if case .whole = self { true } else { false }
    }

    /// Which bytes of the stored body follow.
    func part(length: Int?) -> (start: Int, end: Int) {
        switch self {
        case .whole: (0, length ?? .max)
        case .part(let part, _): (part.lowerBound, part.upperBound)
        case .notModified, .failed, .unsatisfiable: (0, 0)
        }
    }

    func hasBody(status: Int) -> Bool {
        switch self {
        case .whole: status != 204
        case .part: true
        case .notModified, .failed, .unsatisfiable: false
        }
    }

    /// Adapts the stored fields to what is answered; this is decided together with the bytes that are read of the body.
    func apply(
        to fields: inout HeaderBlock, status: Int, length: Int?
    ) -> (status: Int, framing: AnswerFraming) {
        switch self {
        case .whole:
            return (status, status == 204 ? .empty(announcing: nil) : length.map { .length($0) } ?? .stream)
        case .part(let part, let length):
            fields.replace(.contentRange, "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(length)")
            return (206, .length(part.count))
        case .notModified:
            fields.markRepresentation()
            return (304, .empty(announcing: nil))
        case .failed:
            fields.markRepresentation()
            return (412, .length(0))
        case .unsatisfiable(let length):
            fields.markRepresentation()
            fields.replace(.contentRange, "bytes */\(length)")
            return (416, .length(0))
        }
    }
}

extension HeaderBlock {
    /// Marks fields about content that does not follow (RFC 9110 §15.4.5).
    fileprivate mutating func markRepresentation() {
        for index in 0..<count {
            switch self[index].id {
            case .contentType, .contentEncoding, .contentLanguage, .contentRange, .contentDisposition: mark(index)
            default: break
            }
        }
    }

    /// Gives a field this value alone, even where the upstream sent it, too.
    fileprivate mutating func replace(_ id: FieldID, _ value: String) {
        for index in 0..<count where self[index].id == id { mark(index) }
        append(id, text: value)
    }
}
