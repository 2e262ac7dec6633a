import Testing

@testable import SluiceClient

/// Values that have no form as fields.
@Suite struct QueryItemsTreeTests {
    struct Seed: Encodable { var size: Int }

    private static func refusal(_ body: some Encodable) -> String? {
        do throws(CallError) {
            _ = try RequestContent.form(body, coding: JSONCoding())
            return nil
        } catch {
            guard case .encode(let detail) = error else { return "\(error)" }
            return detail
        }
    }

    /// Fields have names: what has none would be an empty form, and nobody would tell.
    @Test func aFormIsMadeOfMembers() throws {
        #expect(Self.refusal(["a", "b"])?.contains("a list") == true)
        #expect(Self.refusal("text")?.contains("a text") == true)
        #expect(Self.refusal(7)?.contains("a number") == true)
        #expect(Self.refusal(true)?.contains("a truth value") == true)
        #expect(Self.refusal(nil as Seed?) == nil && Self.refusal([String: Int]()) == nil)
    }

    /// Which member belongs to which object is lost where the name repeats.
    @Test func listsOfObjectsHaveNoForm() {
        #expect(Self.refusal(["seeds": [Seed(size: 1), Seed(size: 2)]])?.contains("'seeds'") == true)
        #expect(Self.refusal(["tree": ["seeds": [[1, 2], [3]]]])?.contains("'tree[seeds]'") == true)
        #expect(Self.refusal(["seeds": [1, 2]]) == nil)
    }

    @Test func norHaveThoseOfAQuery() throws {
        struct Filter: KeyedAPIParameters {
            enum Key: String, ParamJSONKey { case seeds }
            func param(for key: Key) -> any APIParamConvertible { JSONValue.array([.object(["size": .integer(1)])]) }
        }
        let error = #expect(throws: CallError.self) {
            try ParameterRequest(.get, "fruits", Filter(), as: Int.self).call(coding: JSONCoding())
        }
        guard case .encode = error else {
            Issue.record("\(error as Any)")
            return
        }
    }
}
