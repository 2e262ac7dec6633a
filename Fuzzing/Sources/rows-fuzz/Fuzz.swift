import Foundation
import SluiceContract
import SluiceJSON

/// What libFuzzer calls: the first byte chooses the format, the next eight where the text is cut.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 9 else { return 0 }
    let plan = Plans.all[Int(bytes[0]) % Plans.all.count]
    var seed: UInt64 = 0
    for index in 1...8 { seed = seed << 8 | UInt64(bytes[index]) }
    let text = UnsafeRawBufferPointer(start: bytes + 9, count: count - 9)
    let whole = Outcome(plan, text, cuts: [])
    precondition(whole == Outcome(plan, text, cuts: Array(1..<text.count)), "byte by byte: \(whole)")
    let cuts = [Int(seed % UInt64(text.count)), Int((seed >> 32) % UInt64(text.count))].sorted()
    precondition(whole == Outcome(plan, text, cuts: cuts), "cut at \(cuts): \(whole)")
    judge(whole)
    return 0
}

/// What is accepted is an array of as many values as there are rows, for Foundation's parser as well.
private func judge(_ outcome: Outcome) {
    guard outcome.fault == nil else { return }
    let accepted = outcome.bytes.withUnsafeBytes { JSONCheck.isValid($0) }
    guard accepted else { return }
    let array = try? JSONSerialization.jsonObject(with: Data(outcome.bytes)) as? [Any]
    // Numbers that a Double cannot hold are JSON.
    guard let array else { return precondition(outcome.bytes.contains { $0 | 0x20 == UInt8(ascii: "e") || $0 == 0x39 }) }
    precondition(array.count == outcome.ends.count, "\(outcome)")
}

private enum Plans {
    static let all: [RowPlan] = [
        plan(.ndjson), plan(.ndjson, rowBytesMax: 20), plan(.events(end: "[DONE]")),
        plan(.events(end: nil), rowBytesMax: 20),
        plan(.csv(.init())), plan(.csv(.init(columns: ["a", "b"], separator: .semicolon))),
        plan(.csv(.init(columns: ["n", "t"])), rowBytesMax: 20),
    ]

    private static func plan(_ format: RowPolicy.Format, rowBytesMax: Int = 1 << 20) -> RowPlan {
        let row = TypeExpression.object(
            ObjectType(fields: [
                .init(name: "a", type: .optional(.scalar(.string))), .init(name: "n", type: .optional(.scalar(.int))),
                .init(name: "t", type: .scalar(.bool), defaultJSON: "true"),
            ]))
        do {
            return try RowPlan(
                RowPolicy(format), value: .array(row), types: NamedTypes([]), keys: .verbatim, rowBytesMax: rowBytesMax)
        } catch {
            preconditionFailure("\(error)")
        }
    }
}

/// All that can be seen of a text that was read as rows.
private struct Outcome: Equatable {
    var bytes: [UInt8] = []
    var ends: [Int] = []
    var fault: Problem.Fault?

    init(_ plan: RowPlan, _ text: UnsafeRawBufferPointer, cuts: [Int]) {
        let reader = RowReader(plan)
        var start = 0
        for cut in cuts + [text.count] {
            // A copy of its own, so that AddressSanitizer sees what is read beyond a chunk.
            Array(text[start..<cut]).withUnsafeBytes { reader.feed($0) }
            start = cut
            take(reader)
        }
        reader.finish()
        take(reader)
        fault = reader.fault
        if fault != nil { bytes.removeSubrange((ends.last ?? 0)...) }
    }

    private mutating func take(_ reader: RowReader) {
        ends += reader.rowEnds.map { $0 + bytes.count }
        bytes += reader.bytes
    }
}
