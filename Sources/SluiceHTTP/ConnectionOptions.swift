/// The options of `Connection` that concern the connection itself (RFC 9110 §7.6.1, RFC 9112 §9.3).
struct ConnectionOptions {
    var hasClose = false
    var hasKeepAlive = false
    var hasUpgrade = false

    /// Adds the options of one field value; false where an element is not a token.
    mutating func read(_ value: UnsafeRawBufferPointer) -> Bool {
        var list = ListIterator(value)
        while let option = list.next() {
            guard option.consists(of: .token) else { return false }
            if option.equalsIgnoringCase("close") {
                hasClose = true
            } else if option.equalsIgnoringCase("keep-alive") {
                hasKeepAlive = true
            } else if option.equalsIgnoringCase("upgrade") {
                hasUpgrade = true
            }
        }
        return true
    }

    /// RFC 9112 §9.3.
    func keepsAlive(_ version: HTTPVersion) -> Bool {
        if hasClose { return false }
        return version != .http10 || hasKeepAlive
    }
}
