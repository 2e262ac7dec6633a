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
        // Where edits fill up, the rest of a window goes the slower way.
        if kernel.functions.index != nil { #expect(extractor.objectsTakenWhole.byPattern > 1_000) }
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
