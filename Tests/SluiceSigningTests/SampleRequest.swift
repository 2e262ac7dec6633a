import SluiceContract
import SluiceSigning

/// Requests of texts.
struct SampleRequest {
    /// Lends a request for the time of a call.
    static func lend<Result>(
        _ method: String, _ target: String, host: String, fields: [(String, String)] = [],
        _ body: (RequestToSign) -> Result
    ) -> Result {
        lend([method, target, host] + fields.flatMap { [$0.0, $0.1] }, []) { texts in
            let fields = stride(from: 3, to: texts.count, by: 2).map { index in
                RequestToSign.Field(name: texts[index], value: texts[index + 1])
            }
            return body(RequestToSign(method: texts[0], target: texts[1], host: texts[2], fields: fields))
        }
    }

    private static func lend<Result>(
        _ texts: [String], _ lent: [UnsafeRawBufferPointer], _ body: ([UnsafeRawBufferPointer]) -> Result
    ) -> Result {
        guard let text = texts.first else { return body(lent) }
        return Array(text.utf8).withUnsafeBytes { lend(Array(texts.dropFirst()), lent + [$0], body) }
    }
}
