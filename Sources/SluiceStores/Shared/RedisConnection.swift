internal import CHiredis
internal import SluiceContract
#if canImport(Glibc)
    internal import Glibc
#else
    internal import Musl
#endif

/// A connection to a server that speaks the protocol of Redis, through hiredis; used by one thread at a time. After a
/// failure it is of no more use.
final class RedisConnection {
    private let context: UnsafeMutablePointer<redisContext>

    /// What the server answered.
    enum Reply: Equatable {
        case nothing
        case bytes([UInt8])
        case number(Int)
        /// The first word of the server's message, such as `WRONGTYPE`: the rest may repeat what was sent.
        case refused(String)
        /// Something that nothing here asks for.
        case other
    }

    init(_ settings: CacheSettings.SharedStore) throws(StoreFailure) {
        let made =
            switch settings.address {
            case .tcp(let host, let port):
                redisConnectWithTimeout(host, Int32(port), settings.connectTimeout.timeval)
            case .unix(let path): redisConnectUnixWithTimeout(path, settings.connectTimeout.timeval)
            }
        guard let made else { throw StoreFailure("out of memory") }
        context = made
        if made.pointee.err != 0 { throw failure() }
        guard redisSetTimeout(made, settings.replyTimeout.timeval) == REDIS_OK else { throw failure() }
    }

    deinit { redisFree(context) }

    private func failure() -> StoreFailure {
        // What SO_RCVTIMEO does is no text for people.
        if context.pointee.err == REDIS_ERR_IO, errno == EAGAIN || errno == EINPROGRESS {
            return StoreFailure("no reply in time")
        }
        let text = withUnsafeBytes(of: context.pointee.errstr) { raw in
            String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
        }
        return StoreFailure(text.isEmpty ? "the connection broke off" : text)
    }

    /// Adds a command to what is sent with the next ``reply()``.
    func append(_ arguments: [[UInt8]]) throws(StoreFailure) {
        // One piece of memory for all: pointers into several arrays at once would be a nest of closures.
        let joined = Array(arguments.joined())
        let code = joined.withUnsafeBytes { raw in
            var offset = 0
            var starts: [UnsafePointer<CChar>?] = []
            for argument in arguments {
                starts.append(raw.baseAddress.map { $0.assumingMemoryBound(to: CChar.self) + offset })
                offset += argument.count
            }
            let lengths = arguments.map(\.count)
            return redisAppendCommandArgv(context, Int32(arguments.count), &starts, lengths)
        }
        if code != REDIS_OK { throw failure() }
    }

    /// The reply to the oldest command that has none.
    func reply() throws(StoreFailure) -> Reply {
        var raw: UnsafeMutableRawPointer?
        guard redisGetReply(context, &raw) == REDIS_OK, let raw else { throw failure() }
        defer { freeReplyObject(raw) }
        let reply = raw.assumingMemoryBound(to: redisReply.self).pointee
        switch reply.type {
        case REDIS_REPLY_NIL: return .nothing
        case REDIS_REPLY_INTEGER: return .number(Int(reply.integer))
        case REDIS_REPLY_STRING, REDIS_REPLY_STATUS:
            return .bytes(Array(UnsafeRawBufferPointer(start: reply.str, count: Int(reply.len))))
        case REDIS_REPLY_ERROR:
            let text = UnsafeRawBufferPointer(start: reply.str, count: Int(reply.len))
            return .refused(String(decoding: text.prefix { $0 != 0x20 }, as: UTF8.self))
        default: return .other
        }
    }

    /// A command and its reply.
    func ask(_ arguments: [UInt8]...) throws(StoreFailure) -> Reply {
        try append(arguments)
        return try reply()
    }
}

extension Duration {
    fileprivate var timeval: timeval {
        let (seconds, attoseconds) = components
        let whole = max(0, min(Int(seconds), 3600))
        let micro = Int(attoseconds / 1_000_000_000_000)
        // 0 would be for ever.
        return CHiredis.timeval(tv_sec: whole, tv_usec: whole == 0 ? max(1000, micro) : micro)
    }
}
