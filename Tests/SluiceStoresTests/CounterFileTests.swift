import Foundation
import SluiceCache
import Testing

@testable import SluiceStores

@Suite struct CounterFileTests {
    private static func counts(_ path: String) throws -> [UInt32]? {
        var counts: [UInt32]?
        _ = try CounterFile(path) { counts = $0.counts }
        return counts
    }

    /// Whether a restart would take the file for a whole one: its first word says so.
    private static func isWhole(_ path: String) -> Bool {
        FileManager.default.contents(atPath: path)?.prefix(8).contains { $0 != 0 } == true
    }

    /// What could not be recorded is not on record: a restart must not take the count from before for the last one.
    @Test func aFileThatCannotBeWrittenIsNoFile() throws {
        let folder = try Folder()
        let path = folder.path + "/invalidations"
        let file = try CounterFile(path) { _ in }
        let epochs = Epochs { file.record($0, $1) }
        epochs.invalidate(5)
        #expect(file.isWhole)
        #expect(try Self.counts(path) != nil)
        // There is nothing before the beginning of a file (pwrite(2), EINVAL).
        [1 as UInt64].withUnsafeBufferPointer { file.record(-1_000_000, $0) }
        #expect(!file.isWhole)
        #expect(!Self.isWhole(path))
        try file.renew(epochs, keepsSerial: true)
        #expect(file.isWhole)
        #expect(try Self.counts(path)?[5] == 1)
    }

    /// Whoever counts while the file is written anew is in the new one.
    @Test func countingGoesOnWhileItIsWrittenAnew() throws {
        let folder = try Folder()
        let path = folder.path + "/invalidations"
        let file = try CounterFile(path) { _ in }
        let epochs = Epochs { file.record($0, $1) }
        DispatchQueue.concurrentPerform(iterations: 3) { index in
            for _ in 0..<(index == 0 ? 50 : 5000) {
                if index == 0 {
                    #expect(throws: Never.self) { try file.renew(epochs, keepsSerial: true) }
                } else {
                    epochs.count(UInt32(index))
                }
            }
        }
        #expect(file.isWhole)
        #expect(try Self.counts(path)?[1...2] == [5000, 5000])
    }

    /// What the shared store has not heard of is told by the next process; so it is when the file is written anew.
    @Test func whatIsUntoldOutlivesTheProcess() throws {
        let folder = try Folder()
        let path = folder.path + "/invalidations"
        func untold() throws -> Set<Int>? {
            var untold: Set<Int>?
            _ = try CounterFile(path) { untold = $0.untold }
            return untold
        }
        let file = try CounterFile(path) { _ in }
        var marks = UntoldMarks { file.record($0, isUntold: $1) }
        for index in [5, 7, SharedMarks.allSoftIndex] { marks.insert(index) }
        #expect(try untold() == [5, 7, SharedMarks.allSoftIndex])
        let taken = marks.take()
        // Again, while the server is being told of it.
        marks.insert(7)
        marks.told(taken)
        #expect(try untold() == [7])
        marks.insert(9)
        marks.giveBack(marks.take())
        #expect(try untold() == [7, 9])
        try file.renew(Epochs(), keepsSerial: true)
        #expect(try untold() == [7, 9])
        let rest = marks.take()
        marks.told(rest)
        #expect(try untold() == [])
    }
}
