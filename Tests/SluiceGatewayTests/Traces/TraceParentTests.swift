import Testing

@testable import SluiceGateway

/// `traceparent`, by the clauses of W3C Trace Context Level 2.
@Suite struct TraceParentTests {
    private static func read(_ text: String) -> TraceParent? { Array(text.utf8).withUnsafeBytes { TraceParent($0) } }

    private static let trace = "0af7651916cd43dd8448eb211c80319c"
    private static let parent = "b7ad6b7169203331"

    @Test(
        arguments: [
            // §3.2.2.5: only what has a meaning is kept.
            ("01", 1), ("00", 0), ("02", 2), ("03", 3), ("ff", 3), ("fc", 0),
        ] as [(String, UInt8)])
    func readsFlags(_ text: String, _ flags: UInt8) {
        let read = Self.read("00-\(Self.trace)-\(Self.parent)-\(text)")
        #expect(read?.flags.rawValue == flags)
        #expect(read?.trace == TraceID(high: 0x0af7_6519_16cd_43dd, low: 0x8448_eb21_1c80_319c))
        #expect(read?.parent == SpanID(0xb7ad_6b71_6920_3331))
    }

    /// §3.2.4: of a higher version what is known of this one counts, and more may follow behind a dash.
    @Test(arguments: ["", "-", "-what-the-future-will-be-like"])
    func readsHigherVersions(_ rest: String) {
        #expect(Self.read("cc-\(Self.trace)-\(Self.parent)-01\(rest)")?.flags == .sampled)
    }

    @Test(arguments: [
        // §3.2.2.1, §3.2.2.2: this version has no more than that, and 255 is none.
        "00-\(trace)-\(parent)-01-", "00-\(trace)-\(parent)-01.", "00-\(trace)-\(parent)-011",
        "ff-\(trace)-\(parent)-01",
        "cc-\(trace)-\(parent)-01.x", "0-\(trace)-\(parent)-01", "000-\(trace)-\(parent)-01",
        ".0-\(trace)-\(parent)-01",
        // §3.2.2.3, §3.2.2.4: lower-case digits, not all of them zero.
        "00-00000000000000000000000000000000-\(parent)-01", "00-\(trace)-0000000000000000-01",
        "00-0AF7651916CD43DD8448EB211C80319C-\(parent)-01", "00-\(trace)-b7ad6b716920333G-01",
        "00-0af7651916cd43dd8448eb211c80319-\(parent)-01", "00-\(trace)-b7ad6b716920333-01",
        "00-\(trace)-\(parent)-.0", "00-\(trace)-\(parent)-0", "00_\(trace)-\(parent)-01", "00-\(trace)_\(parent)-01",
        "00-\(trace)-\(parent)_01", "", "00",
    ])
    func startsAnew(_ text: String) { #expect(Self.read(text) == nil) }

    @Test func writesWhatItReads() {
        let text = "00-\(Self.trace)-\(Self.parent)-03"
        let written = [UInt8](unsafeUninitializedCapacity: TraceParent.byteCount) { buffer, count in
            Self.read(text)?.write(into: UnsafeMutableRawBufferPointer(buffer))
            count = TraceParent.byteCount
        }
        #expect(String(decoding: written, as: UTF8.self) == text)
        #expect("\(TraceID(high: 1, low: .max))" == "0000000000000001ffffffffffffffff")
        #expect("\(SpanID(0xa))" == "000000000000000a")
    }
}
