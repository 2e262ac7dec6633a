/// The content of an answer, piece by piece as it comes. It can be read once; dropping it unread closes its connection.
public struct AnswerBody: AsyncSequence, Sendable {
    /// A piece as it came.
    public typealias Element = [UInt8]

    private enum Source: Sendable {
        case whole([UInt8])
        case connection(BodyReader)
        case sequence(any AsyncSequence<[UInt8], any Error> & Sendable)
    }

    private let source: Source

    /// Content that is there.
    public init(_ bytes: [UInt8]) {
        source = .whole(bytes)
    }

    /// Content that comes from elsewhere than a gateway, such as in a test.
    public init(_ sequence: any AsyncSequence<[UInt8], any Error> & Sendable) {
        source = .sequence(sequence)
    }

    init(_ reader: BodyReader) {
        source = .connection(reader)
    }

    /// Reads the content off its connection.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate enum Rest {
            case whole([UInt8])
            case connection(BodyReader)
            case sequence(any AsyncIteratorProtocol<[UInt8], any Error>)
            case none
        }

        fileprivate var rest: Rest

        /// - Throws: ``TransportError``; `CancellationError` where the task was cancelled.
        public mutating func next() async throws -> [UInt8]? {
            try await next(isolation: nil)
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> [UInt8]? {
            switch rest {
            case .none: return nil
            case .whole(let bytes):
                rest = .none
                return bytes.isEmpty ? nil : bytes
            case .connection(let reader): return try await reader.next()
            case .sequence(var iterator):
                defer { rest = .sequence(iterator) }
                return try await iterator.next(isolation: actor)
            }
        }
    }

    /// Reads the content as a stream: the time that the call was given no longer counts
    /// (``TransportLimits/stall`` does).
    public func makeAsyncIterator() -> AsyncIterator {
        switch source {
        case .whole(let bytes): return AsyncIterator(rest: .whole(bytes))
        case .connection(let reader):
            reader.stream()
            return AsyncIterator(rest: .connection(reader))
        case .sequence(let sequence): return AsyncIterator(rest: .sequence(sequence.makeAsyncIterator()))
        }
    }

    /// All of the content, within the time that the call was given.
    /// - Parameter limit: more bytes than these are not taken.
    /// - Throws: ``TransportError/tooLarge(limit:)``; ``TransportError`` else; `CancellationError` where the task was
    ///   cancelled.
    public func bytes(upTo limit: Int) async throws -> [UInt8] {
        var all: [UInt8] = []
        switch source {
        case .whole(let bytes): all = bytes
        case .connection(let reader):
            while all.count <= limit, let piece = try await reader.next() { all += piece }
        case .sequence(let sequence):
            for try await piece in sequence {
                all += piece
                if all.count > limit { break }
            }
        }
        guard all.count <= limit else { throw TransportError.tooLarge(limit: limit) }
        return all
    }
}
