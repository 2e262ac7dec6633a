internal import SluiceHTTP

/// The validators of a poll of a watched value, and those of its answer for the next poll (RFC 9110 §13.1). Only where
/// there is no cache.
final class PollValidators {
    /// Of the last answer that was proven.
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

    /// Puts the conditions into a request that has none of its own.
    func write(into fields: inout HeaderBlock) {
        asked.etag?.withUnsafeBytes { fields.append(.ifNoneMatch, value: $0) }
        asked.lastModified?.withUnsafeBytes { fields.append(.ifModifiedSince, value: $0) }
    }
}
