// On arm64 all other tests prove the same.
#if arch(x86_64)

    import CSIMDReplay
    import Foundation
    import SluiceContract
    import SluiceJSON
    import Testing

    /// The engine's C as arm64 runs it says the same of everything, byte by byte, as it does here: the structural
    /// index, what is UTF-8, and each walk over the tables of a plan, with what it has learnt and the edits that it
    /// notes.
    @Suite struct Arm64Tests {
        /// Records what runs ask of the kernel, whose text is arm64's, over intrinsics in plain C; then arm64 is asked.
        private static func expectSame(_ name: String, _ runs: (Recorder) throws -> Void) throws {
            let record = Arm64Driver.file("\(name).record")
            let recorder = try Recorder(record)
            do {
                defer { recorder.end() }
                try runs(recorder)
            }
            for compiler in Arm64Driver.Compiler.allCases {
                let said = try Arm64Driver.made(with: compiler).run(["neon", record])
                #expect(said.hasPrefix("neon: ") && said.hasSuffix(" are the same\n"), "\(name), \(compiler): \(said)")
                #expect(!said.contains(": 0 windows"), "\(name): nothing has been recorded")
            }
            try FileManager.default.removeItem(atPath: record)
        }

        private struct Recorder {
            init(_ path: String) throws {
                let neon = Kernel.all.first { $0.name == "neon" && $0.isEmulated }
                Self.reference.pointee = try #require(neon).functions
                try #require(sluice_replay_begin(path, Self.reference), "no file at \(path)")
            }

            /// The recorder keeps a pointer to it.
            private static nonisolated(unsafe) let reference = UnsafeMutablePointer<sluice_json_kernel>.allocate(
                capacity: 1)

            func end() { #expect(sluice_replay_end(), "the record could not be written") }

            /// Twice with one extractor: the second time by what was learnt.
            func run(_ plan: Plan, _ document: [UInt8], cuts: [Int] = []) {
                let extractor = Extractor(plan, kernel: sluice_replay_kernel())
                for _ in 0..<2 { _ = Run(plan, document, cuts: cuts, reusing: extractor) }
            }
        }

        @Test(arguments: DocumentTests.samples)
        func documents(_ sample: DocumentTests.Sample) throws {
            let document = try sample.document
            try Self.expectSame(sample.name) { recorder in
                for plan in try sample.plans {
                    for size in [document.count, 4096, 1500, 700, 401, 129] {
                        recorder.run(plan, document, cuts: Array(stride(from: size, to: document.count, by: size)))
                    }
                    var random = Seeded(state: 23)
                    for _ in 0..<6 { recorder.run(plan, document, cuts: random.cuts(of: document.count)) }
                    for _ in 0..<10 {
                        var damaged = document
                        let place = Int.random(in: 0..<document.count, using: &random)
                        damaged[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                        recorder.run(plan, damaged)
                    }
                }
            }
        }

        /// Each case as it is, and in the middle of an array of which windows are made.
        @Test func testSuite() throws {
            let plans = [
                try Plan([Extraction(type: JSONTestSuiteTests.looking)], types: JSONTestSuiteTests.types),
                try Plan("99.nothing"),
            ]
            let filler = Array(String(repeating: #"{"a": [1, -2.5e3, "text", true, null]}, "#, count: 14).utf8)
            try Self.expectSame("JSONTestSuite") { recorder in
                for name in JSONTestSuiteTests.cases where !name.hasPrefix("n_structure_100000") {
                    let alone = try JSONTestSuiteTests.document(name)
                    let among = Array("[".utf8) + filler + alone + Array(",".utf8) + filler + Array("0]".utf8)
                    for plan in plans {
                        recorder.run(plan, alone)
                        recorder.run(plan, among)
                        recorder.run(plan, among, cuts: [600])
                    }
                }
            }
        }

        /// What goes byte by byte, or sixteen at a time without an index, at each place of each document.
        @Test(arguments: Arm64Driver.Compiler.allCases)
        func scans(_ compiler: Arm64Driver.Compiler) throws {
            let suite = try #require(JSONTestSuiteTests.folder)
            let folder = suite.deletingLastPathComponent().appendingPathComponent("Documents")
            let documents = DocumentTests.samples.map { folder.appendingPathComponent("\($0.name).json").path }
            let cases = JSONTestSuiteTests.cases.map { suite.appendingPathComponent($0).path }
            let said = try Arm64Driver.made(with: compiler).run(["scan"] + documents + cases)
            let lines = said.split(separator: "\n")
            #expect(lines.count == documents.count + cases.count)
            for (line, path) in zip(lines, documents + cases) {
                #expect(line == Self.scanned(path), "\(compiler)")
            }
        }

        /// The same by this machine.
        private static func scanned(_ path: String) -> String {
            var line = Array(repeating: CChar(0), count: 512 + path.utf8.count)
            sluice_scan(path, &line, line.count)
            return String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }

        @Test(arguments: 0..<6 as Range<UInt64>)
        func editedObjects(_ seed: UInt64) throws {
            var objects = RandomObjects(seed: 1000 + seed)
            let made = objects.plan()
            let plan = try #require(made)
            var random = Seeded(state: seed)
            try Self.expectSame("edited-\(seed)") { recorder in
                for _ in 0..<4 {
                    let document = objects.document()
                    recorder.run(plan, document)
                    recorder.run(plan, document, cuts: random.cuts(of: document.count))
                }
            }
        }

        @Test func wholeArrays() throws {
            var random = Seeded(state: 500)
            try Self.expectSame("arrays") { recorder in
                for plan in try WholeArrayTests.plans() {
                    for isRight in [true, false] {
                        let document = WholeArrayTests.document(&random, isRight: isRight)
                        recorder.run(plan, document)
                        recorder.run(plan, document, cuts: random.cuts(of: document.count))
                    }
                }
            }
        }

        /// Objects that match a pattern but for one value.
        @Test func objectsAlike() throws {
            try Self.expectSame("alike") { recorder in
                let plans = try LikenessTests.plans()
                for members in LikenessTests.items {
                    for (number, value) in LikenessTests.values.enumerated() {
                        let member = number % members.count
                        var odd = members
                        odd[member] = "\(members[member].prefix { $0 != ":" }):\(value)"
                        let document = LikenessTests.document(members, odd, at: 4, of: 6)
                        recorder.run(plans[number / members.count % plans.count], document)
                    }
                }
            }
        }

        /// Sequences of every length, whole and broken.
        @Test func utf8() throws {
            let plan = try Plan("", .array(.string))
            var random = Seeded(state: 11)
            try Self.expectSame("utf8") { recorder in
                for round in 0..<120 {
                    let text = (0..<Int.random(in: 20...400, using: &random)).map { _ in
                        ["a", "é", "€", "😀", "plain text of some length, "][Int.random(in: 0..<5, using: &random)]
                    }
                    var document = Array("[\"\(text.joined())\", \"\(text.joined())\"]".utf8)
                    if round % 3 > 0 {
                        let place = Int.random(in: 0..<document.count, using: &random)
                        document[place] = UInt8.random(in: 0x80...0xFF, using: &random)
                    }
                    recorder.run(plan, document)
                    recorder.run(plan, document, cuts: random.cuts(of: document.count))
                }
            }
        }
    }

#endif
