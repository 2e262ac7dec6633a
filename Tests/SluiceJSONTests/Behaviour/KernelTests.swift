import CSIMD
import SluiceContract
import Testing

@testable import SluiceJSON

/// The quick ways are taken: that results are right says nothing of which way they came.
@Suite struct KernelTests {
    /// Longer than two windows, so that objects are cut by them, too.
    private static let count = 500

    private static func document(_ member: String) -> [UInt8] {
        let objects = (0..<count).map { #"{"id":\#($0),"name":"fig","color":"red",\#(member),"ripe":true}"# }
        return Array("[\(objects.joined(separator: ","))]".utf8)
    }

    private static func plan(_ type: TypeExpression) throws -> Plan {
        let fields = TypeExpression.fields(
            .init("id", .int), .init("name", .string), .init("color", .literals(["red", "green"])),
            .init("size", type), .init("ripe", .bool))
        return try Plan([Extraction(type: .array(.named("Fruit")))], types: [.init(name: "Fruit", type: fields)])
    }

    @Test(arguments: Kernel.all.filter { $0.functions.index != nil })
    func objectsAlikeAreTakenWhole(_ kernel: Kernel) throws {
        let document = Self.document(#""size":12"#)
        #expect(document.count > 2 * Int(SLUICE_JSON_WINDOW))
        let plan = try Self.plan(.int)
        let extractor = kernel.extractor(plan)
        let run = Run(plan, document, reusing: extractor)
        #expect(run.faults.isEmpty && run.slices == [String(decoding: document, as: UTF8.self)])
        let taken = extractor.objectsTakenWhole
        // The first ones are learnt from; a few more are cut by a window or the document's end.
        #expect(taken.byPattern > Self.count * 9 / 10, "\(taken)")
        #expect(
            kernel.functions.has_templates ? taken.byTemplate > Self.count * 9 / 10 : taken.byTemplate == 0, "\(taken)")
    }

    /// Blanks stand before the colons, and a new line behind the last value.
    @Test(arguments: Kernel.all.filter { $0.functions.index != nil })
    func objectsAreAlikeHoweverTheyAreSpaced(_ kernel: Kernel) throws {
        let objects = (0..<Self.count).map {
            "{\n\"id\" : \($0) , \"name\" : \"fig\", \"color\" : \"red\", \"ripe\" : true, \"size\" : 7\n}"
        }
        let document = Array("[\(objects.joined(separator: ", "))]".utf8)
        let plan = try Self.plan(.int)
        let extractor = kernel.extractor(plan)
        let run = Run(plan, document, reusing: extractor)
        #expect(run.faults.isEmpty && run.slices == [String(decoding: document, as: UTF8.self)])
        #expect(extractor.objectsTakenWhole.byPattern > Self.count * 9 / 10, "\(extractor.objectsTakenWhole)")
    }

    /// Byte by byte there is nothing to learn.
    @Test func withoutAnIndexNothingIsTakenWhole() throws {
        let kernel = try #require(Kernel.own.first { $0.functions.index == nil })
        let plan = try Self.plan(.int)
        let extractor = kernel.extractor(plan)
        #expect(Run(plan, Self.document(#""size":12"#), reusing: extractor).faults.isEmpty)
        #expect(extractor.objectsTakenWhole == (0, 0))
    }

    @Test(arguments: Kernel.all.filter { $0.functions.has_templates })
    func templatesAreLeftForWhatTheyDoNotShow(_ kernel: Kernel) throws {
        let plan = try Self.plan(.scalar(.double))
        let extractor = kernel.extractor(plan)
        // An exponent is right, and nothing that a template shows.
        #expect(Run(plan, Self.document(#""size":1.5e1"#), reusing: extractor).faults.isEmpty)
        #expect(extractor.objectsTakenWhole.byTemplate < Self.count / 10, "\(extractor.objectsTakenWhole)")
    }
}
