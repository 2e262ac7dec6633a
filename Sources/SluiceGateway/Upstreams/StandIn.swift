internal import SluiceContract
internal import SluiceHTTP

/// What answers a call in the place of an upstream.
enum StandIn {
    /// A value that is proven to be of the binding's type.
    case value(Message)
    /// An answer as an upstream sends it.
    case answer(Message)
    case problem(Problem)
    /// Nothing, until a timeout or the client ends it.
    case silence
    /// The call has gone elsewhere meanwhile.
    case elsewhere

    struct Message {
        var status: Int
        var fields: [(name: String, value: String)]
        var body: [UInt8]

        /// Writes it over what stands in the head.
        func write(into response: inout ResponseHead) {
            response.reset()
            response.status = status
            for field in fields {
                Array(field.name.utf8).withUnsafeBytes { name in
                    Array(field.value.utf8).withUnsafeBytes { response.fields.append(name: name, value: $0) }
                }
            }
            response.framing = body.isEmpty ? .none : .length(body.count)
        }
    }
}
