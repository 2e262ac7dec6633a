import SluiceHTTP
import Testing

@testable import SluiceCache

@Suite struct CacheControlTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var value: String
        var maxAge: Int?
        var flags: CacheControl.Flags
        var testDescription: String { value }
    }

    static let rows: [Row] = [
        Row(value: "max-age=60", maxAge: 60, flags: []),
        Row(value: "MaX-aGe=60, No-StOrE", maxAge: 60, flags: .noStore),
        // RFC 9111 §5.2: both forms of an argument are understood.
        Row(value: "max-age=\"60\"", maxAge: 60, flags: []),
        // RFC 9111 §4.2.1: what is invalid counts as stale.
        Row(value: "max-age=a60", maxAge: 0, flags: []),
        Row(value: "max-age=-60", maxAge: 0, flags: []),
        Row(value: "max-age= 60", maxAge: 0, flags: []),
        Row(value: "max-age='60'", maxAge: 0, flags: []),
        Row(value: "max-age=1, max-age=60", maxAge: 1, flags: []),
        Row(value: "extension=\"max-age=60\"", maxAge: nil, flags: []),
        Row(value: "max-age=0060", maxAge: 60, flags: []),
        // RFC 9111 §1.2.2.
        Row(value: "max-age=99999999999", maxAge: 1 << 31, flags: []),
        Row(value: "private=\"a\", no-cache=\"b, c\"", maxAge: nil, flags: [.privateFields, .noCacheFields]),
        Row(value: "public,,immutable", maxAge: nil, flags: [.public, .immutable]),
    ]

    @Test(arguments: rows)
    func directives(_ row: Row) {
        let control = Array(row.value.utf8).withUnsafeBytes { CacheControl($0) }
        #expect(control.maxAge == row.maxAge)
        #expect(control.flags == row.flags)
    }
}
