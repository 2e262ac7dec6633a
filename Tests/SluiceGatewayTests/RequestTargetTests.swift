import SluiceSigning
import Testing

@testable import SluiceGateway

/// The target of a request as bytes: its query is taken off and its secrets are put in.
@Suite struct RequestTargetTests {
    private static func text(_ bytes: UnsafeRawBufferPointer) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test(
        arguments: [
            ("/a", "/a", nil), ("/a?", "/a", "?"), ("/a?b=c", "/a", "?b=c"), ("/a?b?c", "/a", "?b?c"), ("", "", nil),
        ] as [(String, String, String?)])
    func itsQueryIsTaken(target: String, path: String, query: String?) {
        var bytes = RequestTarget()
        bytes.append(Array(target.utf8))
        let before = [Self.text(bytes.withoutQuery), Self.text(bytes.bytes)]
        let taken = bytes.takeQuery().map { String(decoding: $0, as: UTF8.self) }
        let left = Self.text(bytes.bytes)
        #expect(before == [path, target] && taken == query && left == path)
    }

    /// A marker stands for a value by its position; what is no marker stays as it is.
    @Test(
        arguments: [
            ("/a?k=\u{1}&l=\u{2}", nil, "/a?k=ONE&l=T%2FO"), ("/a?k=\u{3}", nil, "/a?k=\u{3}"),
            ("/a", "k=v", "/a?k=v"), ("/a?b=c", "k=v", "/a?b=c&k=v"), ("/\u{1}", "k=v", "/ONE?k=v"),
        ] as [(String, String?, String)])
    func itsSecretsArePutIn(target: String, pair: String?, whole: String) {
        let values = ["ONE", "T/O"]
        var bytes = RequestTarget()
        bytes.append(Array(target.utf8))
        let found = bytes.whole(
            values.count, secret: { Array(values[$0].utf8) }, pair: pair.map { SecretBytes(Array($0.utf8)) })
        let kept = Self.text(bytes.bytes)
        #expect(String(decoding: found, as: UTF8.self) == whole && kept == target)
    }
}
