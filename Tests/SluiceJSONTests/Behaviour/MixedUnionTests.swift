import SluiceContract
import Testing

@testable import SluiceJSON

/// Lists whose objects' kinds alternate, with every set of instructions: the same as byte by byte.
@Suite struct MixedUnionTests {
    private static let type = TypeExpression.array(
        .union([
            .fields(.init("type", .literals(["card"])), .init("number", .string), .init("amount", .int)),
            .fields(.init("type", .literals(["bank", "giro"])), .init("iban", .string), .init("amount", .int)),
            .fields(
                .init("type", .literals(["cash"])), .init("desk", .fields(.init("id", .int))), .init("paid", .bool)),
        ]))

    private static func object(_ kind: Int, _ random: inout Seeded) -> String {
        let number = Int.random(in: 0...999, using: &random)
        let isOdd = Int.random(in: 0..<40, using: &random) == 0
        let amount = isOdd ? "\"x\"" : "\(number)"
        switch kind {
        case 0: return #"{"type":"card","number":"4\#(number)","amount":\#(amount)}"#
        case 1: return #"{"type":"\#(number % 2 == 0 ? "bank" : "giro")","iban":"DE\#(number)","amount":\#(amount)}"#
        case 2: return #"{"type":"cash","desk":{"id":\#(number)},"paid":\#(number % 2 == 0)}"#
        case 3: return #"{"type":"card", "number":"5", "amount":\#(number), "more":[1]}"#
        default: return isOdd ? #"{"type":"other"}"# : #"{"amount":\#(number),"iban":"x","type":"bank"}"#
        }
    }

    /// In turn, in runs and by chance.
    private static func document(_ seed: UInt64) -> String {
        var random = Seeded(state: seed)
        let run = [1, 1, 2, 5][Int.random(in: 0..<4, using: &random)]
        let kinds = Int.random(in: 2...5, using: &random)
        let isInTurn = Int.random(in: 0..<3, using: &random) > 0
        let objects = (0..<120).map { number in
            object(isInTurn ? number / run % kinds : Int.random(in: 0..<kinds, using: &random), &random)
        }
        return "[\(objects.joined(separator: seed % 7 == 0 ? " , " : ","))]"
    }

    @Test(arguments: Kernel.all) func isTheSameAsByteByByte(_ kernel: Kernel) throws {
        var accepted = 0
        for unknown in [UnknownKeys.pass, .drop] {
            let plan = try Plan("", Self.type, unknown: unknown)
            let extractor = kernel.extractor(plan)
            for seed in 1...UInt64(kernel.isEmulated ? 40 : 60) {
                let document = Array(Self.document(seed).utf8)
                let wanted = Run.byteByByte(plan, document)
                if wanted.faults.isEmpty { accepted += 1 }
                #expect(Run(plan, document, reusing: extractor) == wanted, "seed \(seed), \(unknown)")
                let cuts = Array(stride(from: 700, to: document.count, by: 701))
                #expect(Run(plan, document, cuts: cuts, reusing: extractor) == wanted, "seed \(seed), \(unknown), cut")
            }
        }
        #expect(accepted > 5)
    }

    /// Objects that alternate are taken whole, as those of one kind are.
    @Test func theyAreTakenWhole() throws {
        let objects = (0..<400).map { number in
            number % 2 == 0
                ? #"{"type":"card","number":"\#(number)","amount":\#(number)}"#
                : #"{"type":"bank","iban":"\#(number)","amount":\#(number)}"#
        }
        let plan = try Plan("", Self.type)
        for kernel in Kernel.own where String(cString: kernel.functions.name) != "none" {
            let extractor = kernel.extractor(plan)
            Array("[\(objects.joined(separator: ","))]".utf8).withUnsafeBytes { extractor.feed($0) }
            extractor.finish()
            #expect(!extractor.isFailed && extractor.objectsTakenWhole.byPattern > 370, "\(kernel.name)")
        }
    }
}
