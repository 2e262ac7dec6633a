internal import SluiceContract
internal import SluiceHTTP

/// An answer to a call that does not come from an upstream.
enum StandIn {
    /// A value that is known to be of the binding's type.
    case value(Message)
    /// An answer as an upstream sends it.
    case answer(Message)
    case problem(Problem)
    /// No answer, until a timeout or the client ends the call.
    case silence
    /// The call is carried by something else meanwhile.
    case elsewhere

    struct Message {
        var status: Int
        var fields: [(name: String, value: String)]
        var body: [UInt8]

        /// Replaces the content of the head by this message.
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
