import Testing

@testable import SluiceIO

@Suite struct CrowdWatchTests {
    /// What was there each time it was asked, and when it is said that a crowd has left.
    @Test(
        arguments: [
            ([(0, 0), (100, 10), (0, 0)], []),
            ([(9 << 20, 400), (5 << 20, 300), (1 << 20, 200), (0, 0)], [2]),
            ([(0, 1000), (0, 500), (0, 125), (0, 0)], [2]),
            // A rest that stays is no crowd, and the next crowd is one again.
            (
                [(80 << 20, 0), (9 << 20, 0), (9 << 20, 0), (2 << 20, 0), (1 << 20, 0), (9 << 20, 0), (0, 0)],
                [1, 4, 6]
            ),
            ([(80 << 20, 0), (1 << 20, 0), (1 << 20, 0), (20 << 20, 0), (0, 0)], [1, 4]),
        ] as [([(Int, Int)], [Int])])
    func hasLeft(_ looks: [(Int, Int)], _ expected: [Int]) {
        var watch = CrowdWatch()
        let found = looks.indices.filter { watch.hasLeft(waitingBytes: looks[$0].0, connections: looks[$0].1) }
        #expect(found == expected)
    }
}
