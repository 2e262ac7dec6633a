import Testing

@testable import SluiceConsole

@Suite struct FigureTableTests {
    private static let old = MetricsSample.snapshot(at: 50, busy: 100, failed: 4)
    private static let new = MetricsSample.snapshot(at: 52, busy: 300, failed: 8, isDown: true)

    @Test func figuresAreThoseOfTheTimeBetween() throws {
        let table = FigureTable(Self.new, since: Self.old)
        #expect(table.bindings.map(\.name) == ["GET /busy", "GET /slow", "GET /idle"])
        let busy = table.bindings[0]
        #expect(busy.rate == 100 && busy.total == 300 && busy.errors == 0 && busy.hits == 0.25)
        #expect(busy.median == 0.01)
        #expect(try #require(busy.slow) > 0.09)
        #expect(table.bindings[1].errors == 1 && table.bindings[1].rate == 2 && table.bindings[1].median == nil)
        #expect(table.bindings[2].errors == nil && table.bindings[2].hits == nil)
        #expect(table.all.rate == 102 && !table.isSinceStart)
    }

    @Test func endpointsHaveRows() {
        let rows = FigureTable(Self.new, since: Self.old).upstreams
        #expect(rows.map(\.name) == ["fruit a:1", "fruit b:2"])
        #expect(rows.map(\.state) == ["down", "part open"])
        #expect(rows[0].rate == 102 && rows[0].connections == 4 && rows[1].rate == 0)
    }

    @Test func oneAloneIsSinceTheStart() {
        let table = FigureTable(Self.new, since: nil)
        #expect(table.isSinceStart && table.bindings[0].rate == 3)
    }

    /// Counts that have begun anew are not compared.
    @Test func aNewDaemonIsNotTheOldOne() {
        let other = MetricsSample.snapshot(at: 54, busy: 10, uptime: 5)
        let table = FigureTable(other, since: Self.new)
        #expect(table.isSinceStart && table.bindings[0].rate == 2)
    }
}
