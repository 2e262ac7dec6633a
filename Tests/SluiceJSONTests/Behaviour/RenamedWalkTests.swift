import CSIMD
import SluiceContract
import Testing

@testable import SluiceJSON

/// Objects of many keys that all get other names.
@Suite struct RenamedWalkTests {
    /// One byte each, and more of them than a pattern keeps: they are gone through key by key.
    private static let keys = "abcdefghijklmnopqrstuvwxyz".map(String.init)

    private static func plan(_ keys: [String], nameBytes: Int) throws -> Plan {
        let fields = keys.map { key in
            ObjectType.Field(key + String(repeating: "n", count: nameBytes - 1), .int, from: key)
        }
        return try Plan("", .array(.object(ObjectType(fields: fields))))
    }

    private static func document(_ keys: [String], _ objects: Int, nameBytes: Int = 1) -> [UInt8] {
        let suffix = String(repeating: "n", count: nameBytes - 1)
        let list = (0..<objects).map { number in
            // Where keys come in another order, they are looked for.
            let turned = keys[(number % keys.count)...] + keys[..<(number % keys.count)]
            return "{" + turned.map { "\"\($0)\(suffix)\":\(number % 9)" }.joined(separator: ",") + "}"
        }
        return Array("[\(list.joined(separator: ","))]".utf8)
    }

    /// A window has more keys than one walk notes, and a chunk more bytes than room is made for at first. Names are
    /// shorter and longer than what is copied at a time, and longer than the room.
    @Test(arguments: Kernel.all, [2, 31, 40, 200, 900])
    func everyKeyOfManyObjects(_ kernel: Kernel, _ nameBytes: Int) throws {
        let objects = nameBytes > 100 ? 60 : 600
        let document = Self.document(Self.keys, objects)
        let windowKeys = document[..<min(document.count, Int(SLUICE_JSON_WINDOW))].count { $0 == UInt8(ascii: ":") }
        #expect(windowKeys > Int(SLUICE_JSON_EDITS))
        let plan = try Self.plan(Self.keys, nameBytes: nameBytes)
        let extractor = kernel.extractor(plan)
        let expected = String(decoding: Self.document(Self.keys, objects, nameBytes: nameBytes), as: UTF8.self)
        for cuts in [[], [], [7_001], Array(stride(from: 64, to: document.count, by: 4_099))] {
            let run = Run(plan, document, cuts: cuts, reusing: extractor)
            #expect(run.faults.isEmpty && run.slices == [expected], "\(cuts.prefix(2))")
        }
    }

    /// The same of few keys, so that objects are alike and taken whole.
    @Test(arguments: Kernel.all, [2, 40])
    func everyKeyOfObjectsAlike(_ kernel: Kernel, _ nameBytes: Int) throws {
        let document = Array("[\((0..<2_000).map { #"{"a":\#($0 % 7),"b":1}"# }.joined(separator: ","))]".utf8)
        let plan = try Self.plan(["a", "b"], nameBytes: nameBytes)
        let suffix = String(repeating: "n", count: nameBytes - 1)
        let expected = String(decoding: document, as: UTF8.self).replacing("a", with: "a" + suffix)
            .replacing("b", with: "b" + suffix)
        let extractor = kernel.extractor(plan)
        let run = Run(plan, document, reusing: extractor)
        #expect(run.faults.isEmpty && run.slices == [expected])
        if kernel.functions.index != nil { #expect(extractor.objectsTakenWhole.byPattern > 1_000) }
    }

    /// Values between the keys are shorter and longer than what is copied at a time, and than what is copied at all.
    @Test(arguments: Kernel.all)
    func longValuesOfObjectsAlike(_ kernel: Kernel) throws {
        let lengths = [0, 1, 30, 31, 32, 33, 63, 64, 200, 251, 252, 253, 254, 255, 256, 257, 300, 2_000]
        let objects = (0..<200).map { number in
            let text = String(repeating: "v", count: lengths[number % 6 == 5 ? number / 6 % lengths.count : number % 3])
            return #"{"a":"\#(text)","b":\#(number % 10)}"#
        }
        let fields = [ObjectType.Field("newa", .string, from: "a"), .init("newb", .int, from: "b")]
        let plan = try Plan("", .array(.object(ObjectType(fields: fields))))
        let document = Array("[\(objects.joined(separator: ","))]".utf8)
        let expected = String(decoding: document, as: UTF8.self).replacing("\"a\"", with: "\"newa\"")
            .replacing("\"b\"", with: "\"newb\"")
        for cuts in [[], Array(stride(from: 1, to: document.count, by: 997)), [document.count - 10]] {
            let run = Run(plan, document, cuts: cuts, reusing: kernel.extractor(plan))
            #expect(run.faults.isEmpty && run.slices == [expected], "\(cuts.prefix(2))")
        }
    }

    /// What an object looked like is recorded anew while others that looked like the one before are not put out yet.
    @Test(arguments: Kernel.all, [1, 2, 3, 7, 40])
    func objectsThatLookOtherwiseNowAndThen(_ kernel: Kernel, _ alike: Int) throws {
        let objects = (0..<1_000).map { number in
            switch number / alike % 3 {
            case 0: #"{"a":\#(number % 7),"b":1}"#
            case 1: #"{"b":1,"a":\#(number % 7)}"#
            default: #"{"a":\#(number % 7),"c":[1]}"#
            }
        }
        let fields = ["a", "b"].map { ObjectType.Field("new" + $0, .optional(.int), from: $0) }
        let plan = try Plan("", .array(.object(ObjectType(fields: fields, unknown: .drop))))
        let document = Array("[\(objects.joined(separator: ","))]".utf8)
        let expected = String(decoding: document, as: UTF8.self).replacing(",\"c\":[1]", with: "")
            .replacing("\"a\"", with: "\"newa\"").replacing("\"b\"", with: "\"newb\"")
        let run = Run(plan, document, reusing: kernel.extractor(plan))
        #expect(run.faults.isEmpty && run.slices == [expected])
    }

    /// The names that others get do not count among the keys that an object may have for the walk.
    @Test(arguments: [(64, true), (65, false)])
    func objectsOfManyKeysAreWalked(_ count: Int, _ isWalked: Bool) throws {
        let keys = (0..<count).map { "key\($0)" }
        let plan = try Self.plan(keys, nameBytes: 3)
        #expect(plan.objectCount == 1)
        #expect(plan.tables.objects[0].isPlain == isWalked)
        let document = Self.document(keys, 3)
        let run = Run(plan, document)
        #expect(run.faults.isEmpty)
        #expect(run.slices == [String(decoding: Self.document(keys, 3, nameBytes: 3), as: UTF8.self)])
        #expect(Run.deviations(plan, document) == [])
        // Declared keys still stand once, and what others are called stays refused.
        let twice = Run(plan, String(decoding: document, as: UTF8.self).replacing("\"key1\"", with: "\"key0\""))
        #expect(twice.faults.map(\.expected).contains("the key once"))
        let taken = Run(plan, String(decoding: document, as: UTF8.self).replacing("\"key1\"", with: "\"key0nn\""))
        #expect(taken.faults.map(\.expected).contains("no key by the name of a renamed one"))
    }
}
