internal import SluiceHTTP

/// The validators of a poll of a watched value, and those of its answer for the next poll (RFC 9110 §13.1). Used only
/// without a cache.
final class PollValidators {
    /// From the last answer that passed the checks.
    let asked: Validators
    private(set) var answered = Validators()

    struct Validators: Equatable {
        var etag: [UInt8]?
        var lastModified: [UInt8]?
    }

    init(_ asked: Validators) {
        self.asked = asked
    }

    func note(_ response: borrowing ResponseHead) {
        answered = Validators()
        guard response.status == 200 else { return }
        for index in 0..<response.fields.count {
            switch response.fields[index].id {
            case .etag: answered.etag = Array(response.fields.value(index))
            case .lastModified: answered.lastModified = Array(response.fields.value(index))
            default: break
            }
        }
    }

    /// Adds the conditional fields to a request that has none.
    func write(into fields: inout HeaderBlock) {
        asked.etag?.withUnsafeBytes { fields.append(.ifNoneMatch, value: $0) }
        asked.lastModified?.withUnsafeBytes { fields.append(.ifModifiedSince, value: $0) }
    }
}
