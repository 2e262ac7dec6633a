internal import SluiceHTTP

/// The redirects that a request has been through (`follow: same-origin`), and what they say of storing the answer at
/// their end.
struct RedirectChain {
    private(set) var count = 0
    private var control = JoinedControl()
    /// The lines of their `Vary`.
    private var varied: [[UInt8]] = []

    /// A redirect that is followed. One that is permanent holds for as long as it says, or else for good (RFC 9110
    /// §15.4.2, §15.4.9); any other for as long as it says, or else for this once.
    mutating func add(_ response: borrowing ResponseHead, now: Int) {
        count += 1
        let isPermanent = [301, 308].contains(response.status)
        control.add(response.status, response.fields, after: 0, holds: isPermanent, now: now)
        for index in 0..<response.fields.count where response.fields[index].id == .vary {
            varied.append(Array(response.fields.value(index)))
        }
    }

    /// Says in the head of the answer what they say. Its validators are those of another resource than was asked for
    /// (RFC 9110 §8.8), and do not go on.
    /// - Parameter isAuthorized: credentials of the client have gone upstream.
    func restrict(_ response: inout ResponseHead, isAuthorized: Bool, now: Int) {
        control.restrict(
            &response.fields, of: response.status, isAuthorized: isAuthorized, keepsValidators: false, now: now)
        for line in varied { line.withUnsafeBytes { response.fields.append(.vary, value: $0) } }
        response.fields.removeAll { id, _ in id == .etag || id == .lastModified }
    }
}
