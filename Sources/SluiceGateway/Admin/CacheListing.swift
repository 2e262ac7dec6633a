internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// A stored answer as people see it.
struct CacheListing {
    private let entry: StoredResponse
    private let time: Reuse.Stored
    /// Bytes of the body that the details show.
    private static let bodyBytesMax = 1024

    /// - Parameter now: nanoseconds of the monotonic clock.
    init(_ entry: StoredResponse, now: UInt64) {
        self.entry = entry
        time = entry.time(now)
    }

    var state: CacheQuery.State { time.staleness < 0 ? .fresh : .stale }

    /// A line of a list.
    var summary: JSONValue { .object(members) }

    /// The summary with everything that decisions depend on, the fields, and the beginning of the body.
    var details: JSONValue {
        let freshness = entry.freshness
        var members = members
        members += [
            ("lifetime_from", .string(freshness.source.rawValue)),
            ("stale_while_revalidate", .number(freshness.staleWhileRevalidate)),
            ("stale_if_error", .number(freshness.staleIfError)),
            ("must_revalidate", .bool(freshness.mustRevalidate)), ("no_cache", .bool(freshness.noCache)),
            ("soft_purged", .bool(entry.isSoftened)),
            ("validators", .object(validators)), ("groups", .array(entry.groupNames.map { .string(Self.text($0)) })),
            ("fields", .array(fields)),
        ]
        members.append(body)
        return .object(members)
    }

    private var members: [(String, JSONValue)] {
        let label = entry.label
        return [
            ("key", .string(entry.key.text)), ("binding", label.source.map { .string($0.binding) } ?? .null),
            ("target", .string(label.target.withUnsafeBytes { QueryMask.text($0) })), ("status", .number(entry.status)),
            ("bytes", .number(entry.bodyCount)), ("age", .number(time.age)),
            ("lifetime", .number(time.freshness.lifetime)), ("state", .string(state.rawValue)),
            ("recent_hits", .number(Int(entry.useCount))),
            ("tags", .array((label.source?.tags ?? []).map { .string($0) })),
        ]
    }

    /// The validators that a revalidation will send.
    private var validators: [(String, JSONValue)] {
        var members: [(String, JSONValue)] = []
        if let etag = entry.validatorETag { members.append(("etag", .string(Self.text(etag)))) }
        if let modified = entry.validatorLastModified {
            members.append(("last_modified", .string(Self.text(modified))))
        }
        return members
    }

    private var fields: [JSONValue] {
        var block = HeaderBlock()
        StoredHead.read(entry.lines, into: &block)
        return (0..<block.count).map { index in
            .array([.string(Self.text(block.name(index))), .string(Self.text(block.value(index)))])
        }
    }

    /// Text as text, anything else as hexadecimal digits.
    private var body: (String, JSONValue) {
        let prefix = entry.body.prefix(Self.bodyBytesMax)
        // A character that is cut off leaves at most three bytes.
        for cut in 0...min(3, prefix.count) {
            if let text = String(validating: prefix.dropLast(cut), as: UTF8.self),
                cut == 0 || prefix.count == Self.bodyBytesMax
            {
                return ("body", .string(text))
            }
        }
        return ("body_hex", .string(Hexadecimal.text(prefix.prefix(64))))
    }

    private static func text(_ bytes: some Collection<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}
