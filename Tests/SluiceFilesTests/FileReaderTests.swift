import Foundation
import SluiceFiles
import TestFiles
import Testing

@Suite struct FileReaderTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// Nothing, and what one read does not hold.
    @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 300_000])
    func readsFiles(_ count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try Data(bytes).write(to: URL(fileURLWithPath: directory.file("file")))
        #expect(try FileReader.contents(of: directory.file("file")) == bytes)
    }

    /// What is longer is not read to its end: it may have none.
    @Test func readsNoMoreThanItShould() throws {
        try directory.write("12345", to: "file")
        #expect(try FileReader.contents(of: directory.file("file"), atMost: 5).count == 5)
        for (path, countMax) in [(directory.file("file"), 4), ("/dev/zero", 1 << 20)] {
            #expect(throws: FileReader.Failure(code: EFBIG)) {
                _ = try FileReader.contents(of: path, atMost: countMax, mayWait: true)
            }
        }
    }

    /// What a shell's `<(…)` is: it has no length, and comes in pieces.
    @Test func readsPipes() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let (output, input) = (ends[0], ends[1])
        defer { close(output) }
        let bytes = [UInt8](repeating: 7, count: 200_000)
        Thread {
            bytes.withUnsafeBytes { raw in
                var rest = raw[...]
                while !rest.isEmpty {
                    rest = rest.dropFirst(write(input, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count))
                }
            }
            close(input)
        }.start()
        #expect(try FileReader.contents(of: "/proc/self/fd/\(output)", mayWait: true) == bytes)
    }

    /// Nobody waits for what is no file, unless it is asked for.
    @Test func refusesPipesAndDevices() throws {
        #expect(mkfifo(directory.file("pipe"), 0o600) == 0)
        for (path, reason) in [
            (directory.file("pipe"), "it is a pipe, and no file"), ("/dev/zero", "it is a device, and no file"),
            (directory.path, "it is a directory"),
        ] {
            let failure = #expect(throws: FileReader.Failure.self) { try FileReader.contents(of: path) }
            #expect(failure?.description == reason)
        }
        #expect(try !FileReader.contents(of: "/proc/self/comm").isEmpty)
    }

    @Test func saysWhatKeepsItFromReading() throws {
        try directory.write("x", to: "file")
        for (name, reason) in [
            ("none", "there is no such file"), (".", "it is a directory"), ("file/below", "Not a directory"),
        ] {
            let failure = #expect(throws: FileReader.Failure.self) {
                try FileReader.contents(of: directory.file(name))
            }
            #expect(failure?.description == reason)
        }
        #expect("\(FileReader.Failure(code: EACCES))" == "no permission to read it")
    }
}
