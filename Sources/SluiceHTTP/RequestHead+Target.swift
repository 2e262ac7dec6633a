internal import SluiceContract

// The four forms of a request target (RFC 9112 §3.2).
extension RequestHead {
    /// Takes `target` apart; `offset` is its place in the storage.
    mutating func readTarget(_ target: UnsafeRawBufferPointer, at offset: Int) throws(Refusal) {
        guard let first = target.first else { throw Refusal(.badRequest, "The request target is empty.") }
        if method == .connect {
            guard let host = HostField(target), host.port != nil else {
                throw Refusal(.badRequest, "The target of CONNECT is host:port (RFC 9112 §3.2.3).")
            }
            targetForm = .authority
            authorityRange = ByteRange(offset, target.count)
            return
        }
        if first == UInt8(ascii: "/") {
            targetForm = .origin
            return try readPath(target, from: 0, at: offset)
        }
        if first == UInt8(ascii: "*") {
            guard target.count == 1, method == .options else {
                throw Refusal(.badRequest, "The target * is for OPTIONS alone (RFC 9112 §3.2.4).")
            }
            targetForm = .asterisk
            pathRange = ByteRange(offset, 1)
            return
        }
        try readAbsolute(target, at: offset)
    }

    private mutating func readAbsolute(_ target: UnsafeRawBufferPointer, at offset: Int) throws(Refusal) {
        let start: Int
        if target.count > 7, target.part(0, 7).equalsIgnoringCase("http://") {
            start = 7
        } else if target.count > 8, target.part(0, 8).equalsIgnoringCase("https://") {
            start = 8
            isTargetSecure = true
        } else {
            throw Refusal(.badRequest, "The request target is neither a path nor an http URI (RFC 9112 §3.2).")
        }
        var end = start
        while end < target.count, target[end] != UInt8(ascii: "/"), target[end] != UInt8(ascii: "?") { end += 1 }
        guard let host = HostField(target.part(start, end)) else {
            throw Refusal(.badRequest, "The target's authority is not host or host:port (RFC 9110 §4.2.4, §7.2).")
        }
        targetForm = .absolute
        authorityRange = ByteRange(offset + start, host.authority.count)
        try readPath(target, from: end, at: offset)
    }

    /// Path and query from `start` on (RFC 3986 §3.3, §3.4).
    private mutating func readPath(
        _ target: UnsafeRawBufferPointer, from start: Int, at offset: Int
    ) throws(Refusal) {
        let pathEnd = try endOfRun(of: .path, in: target, from: start)
        pathRange = ByteRange(offset + start, pathEnd - start)
        if pathEnd == target.count { return }
        guard target[pathEnd] == UInt8(ascii: "?") else {
            throw Refusal(.badRequest, "The path holds a character that must be percent-encoded (RFC 3986 §3.3).")
        }
        let queryEnd = try endOfRun(of: .query, in: target, from: pathEnd + 1)
        guard queryEnd == target.count else {
            throw Refusal(.badRequest, "The query holds a character that must be percent-encoded (RFC 3986 §3.4).")
        }
        hasQuery = true
        queryRange = ByteRange(offset + pathEnd + 1, queryEnd - pathEnd - 1)
    }

    private func endOfRun(
        of characters: Scan.Characters, in target: UnsafeRawBufferPointer, from start: Int
    ) throws(Refusal) -> Int {
        guard let end = target.endOfRun(of: characters, from: start) else {
            throw Refusal(.badRequest, "A % stands without its two hexadecimal digits (RFC 3986 §2.1).")
        }
        return end
    }
}
