public import SluiceContract

/// Why a request is refused; the client gets it as a problem. An HTTP/1.1 connection always closes after a refusal: the
/// bytes that follow can no longer be divided into requests reliably (RFC 9112 §9.6, §11.2).
public struct Refusal: Error, Equatable, Sendable {
    public var kind: Problem.Kind
    /// One sentence for the person who reads the problem.
    public var detail: StaticString

    public init(_ kind: Problem.Kind, _ detail: StaticString) {
        self.kind = kind
        self.detail = detail
    }

    public static func == (left: Refusal, right: Refusal) -> Bool {
        left.kind == right.kind
            && UnsafeRawBufferPointer(left.detail).equals(UnsafeRawBufferPointer(right.detail))
    }
}

/// Why a response, or a part of any message, cannot be read in exactly one way.
package struct Malformed: Error {
    package var reason: StaticString

    init(_ reason: StaticString) {
        self.reason = reason
    }
}
