import FoundationEssentials
import Testing

@testable import SluiceClient

/// Forms in requests and answers.
@Suite struct FormFieldsTests {
    /// Numbers keep their digits.
    @Test func formsKeepAllDigits() throws {
        struct Numbers: Encodable {
            var decimal = Decimal(sign: .plus, exponent: -3, significand: Decimal(12_345_678_901_234_567_890 as UInt64))
            var half = 0.5
            var high = UInt64.max
            var huge = 1e300
            var low = Int64.min
            var sum = 0.1 + 0.2
            var tiny = 1e-7
        }
        guard case .bytes(let bytes) = try RequestContent.form(Numbers(), coding: JSONCoding()).body else {
            Issue.record("the form is not written whole")
            return
        }
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == "decimal=12345678901234567.89&half=0.5&high=18446744073709551615&huge=1e%2B300"
                + "&low=-9223372036854775808&sum=0.30000000000000004&tiny=1e-07")
    }

    @Test(arguments: ["18446744073709551615", "12345678901234567.89", "-1", "0.1", "1.5"])
    func valuesKeepAllDigits(text: String) throws {
        let value = try JSONCoding().decode(JSONValue.self, from: Array(text.utf8))
        #expect(String(decoding: try JSONCoding().encode(value), as: UTF8.self) == text)
    }

    private final class Node: Decodable {
        var next: Node?
        var name: String?
    }

    private struct Bottomless: Decodable {
        init(from decoder: any Decoder) throws {
            _ = try decoder.singleValueContainer().decode([Bottomless].self)
        }
    }

    private static func read<Value: Decodable & Sendable>(_ form: String, as type: Value.Type) throws -> Value {
        let type = CallField("Content-Type", "application/x-www-form-urlencoded")
        let answer = WholeAnswer(status: 200, fields: [type], body: Array(form.utf8))
        return try AnswerReading(answer: answer, coding: JSONCoding()).body(Value.self)
    }

    /// How deep names nest is the answer's to choose; a recursive type follows.
    @Test func hostileFormsAreRefused() throws {
        let deep = "next" + String(repeating: "[next]", count: 60) + "[name]=x"
        var node = try Self.read(deep, as: Box.self).node
        for _ in 0..<60 { node = node.next ?? Node() }
        #expect(node.next?.name == "x")
        let hostile = "next" + String(repeating: "[next]", count: 200_000) + "=x"
        let error = #expect(throws: CallError.self) { try Self.read(hostile, as: Box.self) }
        #expect(error?.detail.contains("nest deeper than 64") == true)
        let bottomless = #expect(throws: CallError.self) { try Self.read("a=1", as: [String: Bottomless].self) }
        #expect(bottomless?.detail.contains("without end") == true)
    }

    private struct Box: Decodable, @unchecked Sendable {
        let node: Node

        init(from decoder: any Decoder) throws { node = try Node(from: decoder) }
    }

    @Test(arguments: [
        ("a[b]=1&a[c]=2", ["a": ["b": ["1"], "c": ["2"]]]), ("a[b]=1&a[b][]=2", ["a": ["b": ["1", "2"]]]),
        ("a[0]=x&a[1]=y", ["a": ["0": ["x"], "1": ["y"]]]),
    ])
    func nestedNames(form: String, expected: [String: [String: [String]]]) throws {
        #expect(try Self.read(form, as: [String: [String: [String]]].self) == expected)
    }

    /// A name that is put together in another way is a plain one.
    @Test(arguments: ["a[", "[a]", "a]", "a[b", "a[b]c", "[]"])
    func otherNames(name: String) throws {
        #expect(try Self.read("\(name)=1", as: [String: Int].self) == [name: 1])
    }
}
