import SluiceContract
import SluiceGateway
import Testing

@testable import SluiceIO

@Suite struct ConnectionCensusTests {
    private static func census(_ connections: Int, perClient: Int) -> ConnectionCensus {
        var limits = Limits()
        limits.connections = connections
        limits.connectionsPerClient = perClient
        return ConnectionCensus(limits)
    }

    @Test func theProcessHasALimit() throws {
        let census = Self.census(2, perClient: 10)
        let first = try #require(census.enter(.user(1)))
        #expect(census.enter(.user(2)) != nil)
        #expect(census.enter(.user(3)) == nil)
        first.leave()
        #expect(census.enter(.user(3)) != nil)
    }

    /// One client's limit is nobody else's, and a refusal takes no place of the process.
    @Test func everyClientHasALimit() throws {
        let census = Self.census(3, perClient: 1)
        let first = try #require(census.enter(.address([1])))
        for _ in 0..<10 { #expect(census.enter(.address([1])) == nil) }
        #expect(census.enter(.address([2])) != nil)
        #expect(census.enter(.user(1)) != nil)
        first.leave()
        #expect(census.enter(.address([1])) != nil)
    }
}
