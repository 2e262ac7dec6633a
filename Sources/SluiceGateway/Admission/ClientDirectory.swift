internal import SluiceContract
internal import SluiceHTTP

/// The programs of `clients:`, found by the keys they show.
struct ClientDirectory: Sendable {
    private let clients: [Entry]

    struct Entry: Sendable {
        let name: String
        let digests: [KeyDigest]
        /// Its own rate, or the one that every client has.
        let bucket: RateBucket?
    }

    /// - Parameter earlier: of the configuration before, whose buckets go on where nothing has changed.
    init(_ configuration: Configuration, after earlier: ClientDirectory?) {
        clients = configuration.clients.map { client in
            let rate = client.rate ?? configuration.clientRate
            let known = earlier?.clients.first { $0.name == client.name && $0.bucket?.limit == rate }?.bucket
            return Entry(
                name: client.name, digests: client.keyDigests.compactMap { KeyDigest($0) },
                bucket: known ?? rate.map(ClientBuckets.bucket))
        }
    }

    var isEmpty: Bool { clients.isEmpty }

    subscript(index: Int) -> Entry { clients[index] }

    /// The client that has the key. Every known key is compared, so that the time reveals nothing.
    func index(of key: UnsafeRawBufferPointer) -> Int? {
        let digest = KeyDigest(of: key)
        var found: Int?
        for (index, client) in clients.enumerated() {
            for known in client.digests where known == digest { found = index }
        }
        return found
    }

    /// Finds the client by the keys in a request's fields, and marks these fields: such a key is never forwarded.
    func identify(_ fields: inout HeaderBlock) -> Int? {
        var found: Int?
        var isContradictory = false
        for index in 0..<fields.count {
            guard let key = Self.key(in: fields, at: index), let client = self.index(of: key) else { continue }
            fields.mark(index)
            if let found, found != client { isContradictory = true }
            found = client
        }
        // Keys of two different clients identify neither.
        return isContradictory ? nil : found
    }

    /// `Authorization: Bearer KEY` (RFC 6750 §2.1) or `X-API-Key: KEY`.
    static func key(in fields: borrowing HeaderBlock, at index: Int) -> UnsafeRawBufferPointer? {
        let value = fields.value(index)
        switch fields[index].id {
        case .xAPIKey: return value
        case .authorization:
            let scheme = UnsafeRawBufferPointer(rebasing: value.prefix(7))
            guard value.count > 7, scheme.equalsIgnoringCase(Array("Bearer ".utf8)) else { return nil }
            return UnsafeRawBufferPointer(rebasing: value[7...]).trimmed
        default: return nil
        }
    }
}
