import SluiceContract
import SluiceHTTP
import Testing

@testable import SluiceCache

/// One piece of memory holds all: whatever is put in comes out again.
@Suite struct StoredResponseTests {
    private static let source = EntryLabel.Source(binding: "GET /a", tags: ["x"])

    private func response(
        lines: [(FieldID, String)], etag: String?, modified: String?, groups: Int, target: String, body: String
    ) -> StoredResponse {
        let freshness = Freshness(
            lifetime: 60, source: .maxAge, staleWhileRevalidate: 1 << 31, staleIfError: 7, mustRevalidate: true,
            noCache: false)
        var head = StoredHead(status: 203, freshness: freshness, initialAge: 5, responseTime: 9_000_000_000)
        for (id, value) in lines { head.append(id, Array(value.utf8)) }
        head.validatorETag = etag.map { Array($0.utf8) }
        head.validatorLastModified = modified.map { Array($0.utf8) }
        head.dependencies = (0..<UInt32(groups)).map { .init(slot: 100 + $0, epoch: ~$0) }
        head.label = EntryLabel(Self.source, target: Array(target.utf8))
        return StoredResponse.make(head, key: CacheKey(high: 1, low: 2), bodyCount: body.utf8.count) { put in
            // In two runs.
            let bytes = Array(body.utf8)
            bytes.prefix(2).withUnsafeBytes(put)
            bytes.dropFirst(2).withUnsafeBytes(put)
        }
    }

    @Test(
        arguments: [
            ([], nil, nil), ([(FieldID.etag, "\"a\"")], "\"a\"", nil), ([(.etag, "\"own\"")], "W/\"other\"", nil),
            ([(.contentType, "x"), (.lastModified, "yesterday")], nil, "yesterday"),
            ([(.lastModified, "now"), (.etag, "\"b\"")], "\"c\"", "then"), ([], "\"d\"", "then"),
            ([(.lastModified, "now"), (.etag, "\"b\"")], "\"b\"", "now"),
        ] as [([(FieldID, String)], String?, String?)], [0, 1, 3])
    func everythingComesOutAgain(_ fields: ([(FieldID, String)], String?, String?), groups: Int) {
        for (target, body) in [("", ""), ("/a?b", "x"), ("/a", String(repeating: "body", count: 300))] {
            let (lines, etag, modified) = fields
            let response = response(
                lines: lines, etag: etag, modified: modified, groups: groups, target: target, body: body)
            func text(_ bytes: UnsafeRawBufferPointer?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }
            #expect(text(response.validatorETag) == etag)
            #expect(text(response.validatorLastModified) == modified)
            #expect(response.hasValidator == (etag != nil || modified != nil))
            #expect(text(response.target) == target)
            #expect(text(response.body) == body)
            #expect(response.dependencies.map(\.slot) == (0..<UInt32(groups)).map { 100 + $0 })
            #expect(response.dependencies.map(\.epoch) == (0..<UInt32(groups)).map { ~$0 })
            #expect(response.source === Self.source)
            #expect(response.isAnswer && response.variance == nil)
            #expect(response.status == 203)
            #expect(response.freshUntil == 64_000_000_000)
            #expect(response.freshness.staleWhileRevalidate == 1 << 31)
            #expect(response.freshness.source == .maxAge && response.freshness.mustRevalidate)
        }
    }

    /// Its lifetime ends where a purge has made it stale, and not where a second one would.
    @Test func softened() {
        let response = response(lines: [], etag: nil, modified: nil, groups: 0, target: "", body: "")
        #expect(response.time(12_000_000_000).staleness == 8 - 60)
        response.soften(at: 12_000_000_000)
        response.soften(at: 20_000_000_000)
        #expect(response.isSoftened && response.freshUntil == 0)
        #expect(response.time(14_000_000_000).staleness == 2)
    }

    /// What the issue asks for: 1 KB and a usual head in 1.3 KB, all told.
    @Test func takesLittleRoom() {
        let fields: [(FieldID, String)] = [
            (.server, "nginx/1.22.1"), (.date, "Sat, 21 Nov 2026 12:00:00 GMT"), (.contentType, "text/plain"),
            (.cacheControl, "max-age=86400"),
        ]
        let body = String(repeating: "x", count: 1024)
        let response = response(lines: fields, etag: nil, modified: nil, groups: 1, target: "/hit/123456", body: body)
        #expect(response.charge <= 1331)
    }

    /// As the allocator has it: pieces of 16 bytes, and never fewer for more.
    @Test func roomGrowsInPieces() {
        let charges = (0..<64).map { count in
            response(
                lines: [], etag: nil, modified: nil, groups: 0, target: "",
                body: String(repeating: "x", count: count)
            ).charge
        }
        #expect(zip(charges, charges.dropFirst()).allSatisfy { $1 == $0 || $1 == $0 + 16 }, "\(charges)")
        #expect(charges.last == charges[0] + 48 || charges.last == charges[0] + 64, "\(charges)")
    }
}
