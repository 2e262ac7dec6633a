import SluiceClient
import Testing

@testable import SluiceServer

/// Types that ask for several things at one place.
@Suite struct TypeQuestioningPlacesTests {
    /// Some keys that it knows, and any others.
    struct Open: Decodable {
        var id: Int
        var others: [String: String] = [:]

        struct Key: CodingKey {
            var stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            id = try container.decode(Int.self, forKey: Key(stringValue: "id"))
            for key in container.allKeys where key.stringValue != "id" {
                others[key.stringValue] = try container.decode(String.self, forKey: key)
            }
        }
    }

    @Test func knownKeysBesideFreeOnes() throws {
        #expect(try TypeProbeTests.definitions(Open.self).count == 1)
        let probe = TypeProbe(JSONCoding())
        _ = try probe.expression(of: Open.self)
        guard case .object(let object)? = probe.definitions.first?.type else {
            Issue.record("no object: \(probe.definitions)")
            return
        }
        #expect(object.fields.map(\.name) == ["id"] && object.unknown == .pass)
    }

    struct Inner: Decodable {
        var name: String
    }

    struct Composed: Decodable {
        enum CodingKeys: CodingKey { case extra }

        init(from decoder: any Decoder) throws {
            _ = try decoder.singleValueContainer().decode(Inner.self)
            _ = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .extra)
        }
    }

    /// Both have to be there: no choice.
    @Test func aWholeBesideAPartIsRefused() {
        let refusal = #expect(throws: ProbeRefusal.self) { try TypeProbe(JSONCoding()).expression(of: Composed.self) }
        #expect(refusal?.description.contains("Inner(from: decoder)") == true)
    }

    struct Skipped: Decodable {}

    /// What it cannot read is passed over.
    struct Lossy: Decodable {
        var values: [Int] = []

        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            while !list.isAtEnd {
                if let value = try? list.decode(Int.self) {
                    values.append(value)
                } else {
                    _ = try list.decode(Skipped.self)
                }
            }
        }
    }

    @Test func aListThatPassesOverWhatItCannotRead() throws {
        #expect(try TypeProbeTests.notation(Lossy.self) == "[JSON]")
    }
}
