internal import SluiceContract
internal import SluiceIO

/// A connection to a server that speaks the protocol of Redis (RESP2); used by one thread at a time. It is unusable
/// after a failure.
final class RedisConnection {
    typealias Reply = RedisReplies.Reply

    /// Limit of replies that have no other: numbers, states, and the words of all invalidations.
    static let replyBytesMax = SharedMarks.keptCount * MemoryLayout<UInt64>.stride

    private let stream: BlockingStream
    private let replyTimeout: Duration
    /// The deadline for replies.
    private var deadline: BlockingStream.Deadline
    private var replies = RedisReplies()
    /// Commands that are sent with the next wait for a reply.
    private var unsent: [UInt8] = []
    private let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 64)

    init(_ settings: CacheSettings.SharedStore) throws(StoreFailure) {
        replyTimeout = settings.replyTimeout
        let connecting = BlockingStream.Deadline(in: settings.connectTimeout, "no connection in time")
        deadline = connecting
        do {
            switch settings.address {
            case .unix(let path): stream = try BlockingStream.connect(unixPath: path, by: connecting)
            case .tcp(let host, let port):
                // Read with each connection: certificates change.
                let context = try settings.tls.map { try TLSContext.client($0) }
                stream = try BlockingStream.connect(host: host, port: port, tls: context, by: connecting)
            }
        } catch {
            throw StoreFailure("\(error)")
        }
        beginRound()
    }

    deinit { piece.deallocate() }

    /// Starts the time limit of one reply for all replies from here on: a server that takes almost all of it for each,
    /// or that replies byte by byte, would delay all requests.
    func beginRound() {
        deadline = BlockingStream.Deadline(in: replyTimeout, "no reply in time")
    }

    /// Adds a command to what is sent with the next ``reply(atMost:)``.
    func append(_ arguments: [[UInt8]]) {
        unsent += "*\(arguments.count)\r\n".utf8
        for argument in arguments {
            unsent += "$\(argument.count)\r\n".utf8
            unsent += argument
            unsent += "\r\n".utf8
        }
    }

    /// The reply to the oldest command that has none, within the time of the round.
    /// - Parameter bytesMax: the largest reply, in bytes.
    func reply(atMost bytesMax: Int = RedisConnection.replyBytesMax) throws(StoreFailure) -> Reply {
        do throws(BlockingStream.Failure) {
            if !unsent.isEmpty {
                try stream.send(unsent, by: deadline)
                unsent = []
            }
        } catch {
            throw StoreFailure("\(error)")
        }
        while true {
            if let reply = try replies.next(atMost: bytesMax) { return reply }
            let count: Int
            do throws(BlockingStream.Failure) {
                count = try stream.receive(into: piece, by: deadline)
            } catch {
                throw StoreFailure("\(error)")
            }
            if count == 0 { throw StoreFailure("the connection broke off") }
            replies.feed(UnsafeRawBufferPointer(rebasing: piece[..<count]))
        }
    }

    /// A command and its reply.
    func ask(_ arguments: [UInt8]...) throws(StoreFailure) -> Reply {
        append(arguments)
        return try reply()
    }
}
