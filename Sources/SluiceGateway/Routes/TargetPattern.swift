internal import SluiceContract
internal import SluiceHTTP

/// The request target of a binding's upstream, with the places of what each request brings.
struct TargetPattern: Sendable {
    /// Plain numbers, so that a walk over them counts no references (``RouteTrie``).
    enum Part: BitwiseCopyable, Sendable {
        /// A text, as a range of `letters`.
        case text(start: Int32, count: Int32)
        /// Value of the parameter at this position.
        case parameter(Int32)
        /// What `**` of the local path matched.
        case rest
    }

    private(set) var parts: [Part] = []
    private(set) var letters: [UInt8] = []

    init(_ binding: Binding, upstream: Upstream, parameters: [RouteParameter]) {
        var text = Array(upstream.basePath.utf8)
        for segment in binding.upstreamPath.segments {
            text.append(UInt8(ascii: "/"))
            for part in segment {
                switch part {
                case .text(let literal): text += literal.utf8
                case .placeholder(let name):
                    guard let index = parameters.firstIndex(where: { $0.name == name }) else { continue }
                    append(text)
                    text = []
                    parts.append(.parameter(Int32(index)))
                }
            }
        }
        if binding.upstreamPath.hasRest {
            append(text + [UInt8(ascii: "/")])
            parts.append(.rest)
        } else {
            if text.isEmpty && parts.isEmpty { text = [UInt8(ascii: "/")] }
            if !text.isEmpty { append(text) }
        }
    }

    private mutating func append(_ text: [UInt8]) {
        parts.append(.text(start: Int32(letters.count), count: Int32(text.count)))
        letters += text
    }
}
