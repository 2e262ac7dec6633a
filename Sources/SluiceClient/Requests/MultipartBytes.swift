/// The bytes of a form of several parts, one after another; those of streamed parts as they come.
struct MultipartBytes: AsyncSequence, Sendable {
    typealias Element = [UInt8]

    enum Piece: Sendable {
        case bytes([UInt8])
        /// The content of a part, by its name.
        case stream(String, length: Int?, any AsyncSequence<[UInt8], any Error> & Sendable)

        /// What is at hand.
        var bytes: [UInt8] {
            if case .bytes(let bytes) = self { bytes } else { [] }
        }

        fileprivate var length: Int? {
            switch self {
            case .bytes(let bytes): bytes.count
            case .stream(_, let length, _): length
            }
        }
    }

    private let pieces: [Piece]

    init(_ pieces: [Piece]) {
        self.pieces = pieces
    }

    /// How many bytes these are; nil where one does not know its own.
    static func length(of pieces: [Piece]) -> Int? {
        pieces.reduce(0 as Int?) { sum, piece in
            guard let sum, let length = piece.length else { return nil }
            return sum + length
        }
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        /// A part that is being read.
        private struct Part {
            let name: String
            let length: Int?
            var taken = 0
            var iterator: any AsyncIteratorProtocol<[UInt8], any Error>
        }

        private var rest: ArraySlice<Piece>
        private var part: Part?

        fileprivate init(_ pieces: [Piece]) {
            rest = pieces[...]
        }

        /// - Throws: what a part's stream throws; ``CallError/encode(_:)`` where it has not the length that was said.
        mutating func next() async throws -> [UInt8]? {
            while true {
                if var current = part {
                    let piece = try await current.iterator.next(isolation: nil)
                    current.taken += piece?.count ?? 0
                    try Self.check(current, isEnded: piece == nil)
                    part = piece == nil ? nil : current
                    if let piece { return piece }
                }
                switch rest.popFirst() {
                case nil: return nil
                case .bytes(let bytes): return bytes
                case .stream(let name, let length, let stream):
                    part = Part(name: name, length: length, iterator: stream.makeAsyncIterator())
                }
            }
        }

        /// Two wrong lengths may add up to the right one: each part is held to its own.
        private static func check(_ part: Part, isEnded: Bool) throws(CallError) {
            guard let length = part.length else { return }
            if part.taken > length || (isEnded && part.taken < length) {
                let found = isEnded ? "\(part.taken)" : "more than \(length)"
                throw .encode("The part '\(part.name)' has \(found) bytes, and not the \(length) that its length says.")
            }
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pieces) }
}
