import SluiceContract
import Testing

@testable import SluiceGateway

@Suite struct ClientBucketsTests {
    private static func address(_ number: Int) -> ClientIdentity { .address(Array("10.0.0.\(number)".utf8)) }

    @Test func everyClientHasOne() {
        let buckets = ClientBuckets(RateLimit(1, per: .seconds(1)), countMax: 10)
        let one = buckets.bucket(of: Self.address(1), at: 0)
        #expect(one === buckets.bucket(of: Self.address(1), at: 5))
        #expect(one !== buckets.bucket(of: Self.address(2), at: 5))
        #expect(one !== buckets.bucket(of: .user(1), at: 5))
        #expect(buckets.count == 3)
    }

    /// A flood of addresses fills the table once, and limits itself from there on.
    @Test func theTableIsBounded() {
        let buckets = ClientBuckets(RateLimit(1, per: .seconds(1)), countMax: 3)
        for number in 0..<3 { _ = buckets.bucket(of: Self.address(number), at: 0).take(at: 0) }
        let shared = buckets.bucket(of: Self.address(3), at: 0)
        for number in 4..<100 { #expect(buckets.bucket(of: Self.address(number), at: 0) === shared) }
        #expect(buckets.count == 3)
        // Later, those who rest make room.
        #expect(buckets.bucket(of: Self.address(3), at: 2_000_000_000) !== shared)
        #expect(buckets.count == 1)
    }
}
