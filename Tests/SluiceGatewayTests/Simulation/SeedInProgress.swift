import Synchronization
import Glibc

/// A trap in the gateway ends the process before anything can be reported: the seeds being played are printed from the
/// signal's handler.
enum SeedInProgress {
    private static let seeds: [Atomic<Int>.Box] = (0..<SimulationTests.shards).map { _ in .init() }
    private static let isInstalled: Void = {
        for number in [SIGILL, SIGTRAP, SIGSEGV, SIGABRT] {
            signal(number) { number in
                SeedInProgress.print()
                signal(number, SIG_DFL)
                raise(number)
            }
        }
    }()

    static func note(_ seed: Int, shard: Int) {
        _ = isInstalled
        seeds[shard].value.store(seed, ordering: .relaxed)
    }

    private static func print() {
        for box in seeds {
            var text = "a trap while SLUICE_SEED=\(box.value.load(ordering: .relaxed)) was played\n"
            text.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
        }
    }
}

extension Atomic where Value == Int {
    final class Box: Sendable {
        let value = Atomic<Int>(-1)
    }
}
