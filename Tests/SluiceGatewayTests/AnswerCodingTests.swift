import SluiceCoding
import SluiceContract
import SluiceHTTP
import Testing

@testable import SluiceGateway

/// What is done about the content coding of an answer that is read.
@Suite struct AnswerCodingTests {
    private static func choose(_ value: String, isNeeded: Bool, codingsMax: Int = 2) -> AnswerCoding {
        var fields = HeaderBlock()
        Array(value.utf8).withUnsafeBytes { fields.append(.contentEncoding, value: $0) }
        return AnswerCoding.choose(for: fields, codingsMax: codingsMax, isNeeded: isNeeded, upstream: "fruit")
    }

    @Test(arguments: ["gzip", "br", "zstd", "GZIP", "gzip, br"], [true, false])
    func aKnownOneIsDecoded(value: String, isNeeded: Bool) throws {
        guard case .coded(let codings) = Self.choose(value, isNeeded: isNeeded) else {
            Issue.record("\(value) is not decoded")
            return
        }
        #expect(codings.count == value.split(separator: ",").count)
    }

    @Test(arguments: [true, false]) func identityIsNone(isNeeded: Bool) {
        guard case .plain = Self.choose("identity", isNeeded: isNeeded) else {
            Issue.record("identity is a coding")
            return
        }
    }

    /// Where no value is wanted of it, it does not have to be read.
    @Test(
        arguments: [("lzma", .upstreamProtocol), ("gzip, br, zstd", .upstreamTooLarge)] as [(String, Problem.Kind)])
    func whatCannotBeReadIsRefusedWhereItIsNeeded(value: String, kind: Problem.Kind) {
        guard case .refused(let problem) = Self.choose(value, isNeeded: true) else {
            Issue.record("\(value) is not refused")
            return
        }
        #expect(problem.kind == kind)
        #expect(problem.detail.contains("'fruit'"))
        guard case .skipped = Self.choose(value, isNeeded: false) else {
            Issue.record("\(value) is not skipped")
            return
        }
    }
}
