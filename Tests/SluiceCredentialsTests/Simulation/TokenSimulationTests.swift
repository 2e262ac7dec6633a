import Testing
import Glibc

/// `SLUICE_SEEDS=100000` plays more seeds, `SLUICE_SEED=17` plays one and prints what happens.
@Suite struct TokenSimulationTests {
    static let shards = 4
    static let seeds = variable("SLUICE_SEEDS") ?? 2000

    static func variable(_ name: String) -> Int? {
        getenv(name).flatMap { Int(String(cString: $0)) }
    }

    @Test(.enabled(if: variable("SLUICE_SEED") == nil), arguments: 0..<shards)
    func nothingImpossibleHappens(shard: Int) {
        var (exchanges, answered, others, failures) = (0, 0, 0, 0)
        for seed in stride(from: shard, to: Self.seeds, by: Self.shards) {
            let simulation = TokenSimulation(seed: UInt64(seed))
            simulation.run()
            exchanges += simulation.exchanges
            answered += simulation.ended[0]
            others += simulation.ended[1]
            guard let violation = simulation.violations.first else { continue }
            Issue.record("SLUICE_SEED=\(seed): \(violation)")
            failures += 1
            if failures == 5 { return }
        }
        // What happens is worth looking at: renewals, requests that succeed, and requests that hear a problem.
        let runs = Self.seeds / Self.shards
        #expect(exchanges > 5 * runs && answered > 20 * runs && others > runs)
    }

    /// The simulation sees what it is there for.
    @Test(.enabled(if: variable("SLUICE_SEED") == nil), arguments: TokenSimulation.Omission.allCases)
    func whatIsLeftOutIsMissed(_ omission: TokenSimulation.Omission) {
        let isMissed = (0..<UInt64(400)).contains { seed in
            let simulation = TokenSimulation(seed: seed, without: omission)
            simulation.run()
            return !simulation.violations.isEmpty
        }
        #expect(isMissed)
    }

    @Test(.enabled(if: variable("SLUICE_SEED") != nil)) func oneSeed() {
        let simulation = TokenSimulation(seed: UInt64(Self.variable("SLUICE_SEED") ?? 0), isTraced: true)
        simulation.run()
        for line in simulation.trace { print(line) }
        for violation in simulation.violations { Issue.record("\(violation)") }
    }
}
