import CSIMD
import SluiceContract
import Testing

@testable import SluiceJSON

/// Dates and URLs that the walk takes at a look: never others than those that are right, and all that APIs mostly send.
@Suite struct PlainTextTests {
    private static let kernels = Kernel.all.filter { $0.functions.index != nil }

    private static let dates = [
        "2013-01-10T07:58:30Z", "2013-04-30T00:00:00.00Z", "2024-12-31T23:59:59.123456789Z",
        "2013-01-10T07:58:30+00:00",
        "2013-03-31T07:58:30.5-11:30",
    ]
    private static let urls = [
        "https://secure.gravatar.com/avatar/f7?d=https://a248.e.akamai.net/assets.github.com%2Fimages",
        "http://127.0.0.1:8080/fruits?color=red#top", "http://example.org:80", "https://api.example.org{/id}",
        "https://example.org/a:b;c@d/[x]~", "https://a-host-with-a-name-of-more-than-thirty-two-letters.example.org/",
    ]

    /// Each text with each of its bytes replaced and left out: the verdict is that of the grammar, read byte by byte.
    @Test(arguments: kernels)
    func noOtherTextsPass(_ kernel: Kernel) throws {
        try expectVerdicts(of: .date(.iso8601), Self.dates, replacing: "0239:-+.TZ ", kernel) { DateText.isDate($0) }
        try expectVerdicts(of: .url, Self.urls, replacing: "a0/:?#@[]%;! ", kernel) { URLText.isURL($0) }
    }

    private func expectVerdicts(
        of scalar: Scalar, _ texts: [String], replacing letters: String, _ kernel: Kernel,
        by isRight: (UnsafeBufferPointer<UInt8>) -> Bool
    ) throws {
        let plan = try Plan([Extraction(type: .array(.scalar(scalar)))], types: [])
        let extractor = kernel.extractor(plan)
        // Enough tokens behind the text for the walk to look at it.
        let others = Array(repeating: "\"\(texts[0])\"", count: 12).joined(separator: ",")
        for text in texts.map({ Array($0.utf8) }) {
            for index in text.indices {
                for replacement in letters.utf8.map({ [$0] }) + [[]] {
                    var changed = text
                    changed.replaceSubrange(index...index, with: replacement)
                    let document = Array("[\"".utf8) + changed + Array("\",\(others)]".utf8)
                    let passes = Run(plan, document, reusing: extractor).faults.isEmpty
                    #expect(
                        passes == changed.withUnsafeBufferPointer(isRight),
                        "\(String(decoding: changed, as: UTF8.self))")
                }
            }
        }
    }

    @Test(arguments: kernels)
    func whatAPIsSendIsTakenWhole(_ kernel: Kernel) throws {
        // The last host is longer than what is looked at.
        for (text, scalar) in Self.dates.map({ ($0, Scalar.date(.iso8601)) }) + Self.urls.dropLast().map({ ($0, .url) })
        {
            let object = "{\"id\":1,\"at\":\"\(text)\",\"name\":\"fig\"}"
            let fields = TypeExpression.fields(
                .init("id", .int), .init("at", .scalar(scalar)), .init("name", .scalar(.string)))
            let plan = try Plan([Extraction(type: .array(fields))], types: [])
            let extractor = kernel.extractor(plan)
            let document = Array("[\(Array(repeating: object, count: 300).joined(separator: ","))]".utf8)
            #expect(Run(plan, document, reusing: extractor).faults.isEmpty)
            #expect(extractor.objectsTakenWhole.byPattern > 250, "\(text): \(extractor.objectsTakenWhole)")
        }
    }
}
