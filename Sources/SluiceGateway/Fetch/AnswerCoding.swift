internal import SluiceCoding
internal import SluiceContract
internal import SluiceHTTP

/// What is done about the content coding of an answer whose body the gateway reads (RFC 9110 §8.4).
enum AnswerCoding {
    /// The answer has no content coding.
    case plain
    case coded(CodingStack)
    /// The coding cannot be decoded, and does not have to be.
    case skipped
    case refused(Problem)

    /// - Parameter isNeeded: whether a value is wanted of the answer. For an error its status is enough, and a token
    ///   that cannot be read is not kept.
    static func choose(
        for fields: borrowing HeaderBlock, codingsMax: Int, isNeeded: Bool, upstream name: String
    ) -> AnswerCoding {
        switch CodingStack.read(fields, atMost: codingsMax) {
        case .plain: .plain
        case .coded(let codings): .coded(codings)
        case .unknown where !isNeeded, .tooMany where !isNeeded: .skipped
        case .unknown(let coding):
            .refused(
                Problem(
                    .upstreamProtocol,
                    detail: "The answer of '\(name)' is in the content coding '\(coding)', which was not asked for."))
        case .tooMany:
            .refused(
                Problem(
                    .upstreamTooLarge,
                    detail: "The answer of '\(name)' has more content codings than 'limits: content-codings' allows."))
        }
    }
}
