import Testing

/// Seeds of the cache. `SLUICE_SEEDS=100000` plays more of them, `SLUICE_SEED=17` plays one and prints what happens.
@Suite struct CacheSimulationTests {
    @Test(.enabled(if: SimulationTests.variable("SLUICE_SEED") == nil), arguments: 0..<4)
    func nothingImpossibleIsAnswered(shard: Int) {
        var (hits, finds) = (0, 0)
        for seed in stride(from: shard, to: SimulationTests.seeds / 2, by: 4) {
            let simulation = CacheSimulation(seed: UInt64(seed))
            simulation.run()
            hits += simulation.hits
            finds += simulation.finds
            guard let violation = simulation.violations.first else { continue }
            Issue.record("SLUICE_SEED=\(seed): \(violation)")
            return
        }
        #expect(hits >= SimulationTests.seeds / 10)
        #expect(finds >= SimulationTests.seeds / 200)
    }

    @Test(.enabled(if: SimulationTests.variable("SLUICE_SEED") != nil)) func oneSeed() {
        let simulation = CacheSimulation(seed: UInt64(SimulationTests.variable("SLUICE_SEED") ?? 0), isTraced: true)
        simulation.run()
        for line in simulation.trace { print(line) }
        for violation in simulation.violations { Issue.record("\(violation)") }
    }
}
