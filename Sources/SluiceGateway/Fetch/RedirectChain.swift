internal import SluiceCache
internal import SluiceHTTP

/// The redirects that a request has followed (`follow: same-origin`), and their caching directives, which restrict
/// those of the final answer.
struct RedirectChain {
    private(set) var count = 0
    /// Its seconds are those of the monotonic clock.
    private var control = JoinedControl()
    /// The `Vary` lines of the redirects.
    private var varied: [[UInt8]] = []

    /// Adds a redirect that is followed. Without freshness information, a permanent one stays fresh for good (RFC 9110
    /// §15.4.2, §15.4.9), and any other is good for this request only.
    /// - Parameters:
    ///   - moment: seconds of the monotonic clock.
    ///   - now: Unix seconds.
    mutating func add(_ response: borrowing ResponseHead, at moment: Int, now: Int) {
        count += 1
        let isPermanent = [301, 308].contains(response.status)
        control.add(response.status, response.fields, at: moment, holds: isPermanent, now: now)
        for index in 0..<response.fields.count where response.fields[index].id == .vary {
            varied.append(Array(response.fields.value(index)))
        }
    }

    /// Restricts the head of the final answer by their directives. Its validators belong to another resource than the
    /// one asked for (RFC 9110 §8.8), and are removed.
    /// - Parameters:
    ///   - isAuthorized: credentials of the client were sent to the upstream.
    ///   - moment: seconds of the monotonic clock.
    ///   - now: Unix seconds.
    func restrict(_ response: inout ResponseHead, isAuthorized: Bool, at moment: Int, now: Int) {
        control.restrict(
            &response.fields, of: response.status, at: moment, isAuthorized: isAuthorized, keepsValidators: false,
            now: now)
        for line in varied { line.withUnsafeBytes { response.fields.append(.vary, value: $0) } }
        response.fields.removeAll { id, _ in id == .etag || id == .lastModified }
    }
}
