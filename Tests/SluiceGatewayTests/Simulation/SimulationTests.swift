import Testing
import Glibc

/// Thousands of seeds. `SLUICE_SEEDS=100000` plays more of them, `SLUICE_SEED=17` plays one and prints what happens.
@Suite struct SimulationTests {
    static let shards = 8
    static let seeds = variable("SLUICE_SEEDS") ?? 2400

    static func variable(_ name: String) -> Int? {
        getenv(name).flatMap { Int(String(cString: $0)) }
    }

    @Test(.enabled(if: variable("SLUICE_SEED") == nil), arguments: 0..<shards)
    func nothingImpossibleHappens(shard: Int) {
        var retries = 0
        for seed in stride(from: shard, to: Self.seeds, by: Self.shards) {
            SeedInProgress.note(seed, shard: shard)
            let simulation = Simulation(seed: UInt64(seed))
            simulation.run()
            retries += simulation.retries
            guard let violation = simulation.violations.first else { continue }
            Issue.record("SLUICE_SEED=\(seed): \(violation)")
            return
        }
        #expect(retries >= Self.seeds / Self.shards)
    }

    @Test(.enabled(if: variable("SLUICE_SEED") != nil)) func oneSeed() {
        let simulation = Simulation(seed: UInt64(Self.variable("SLUICE_SEED") ?? 0), isTraced: true)
        simulation.run()
        for line in simulation.trace { print(line) }
        for violation in simulation.violations { Issue.record("\(violation)") }
    }
}
