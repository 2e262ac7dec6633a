import Foundation

/// Foundation's parser as the judge of what is JSON.
enum Oracle {
    static func judge(_ document: UnsafeRawBufferPointer, isAccepted: Bool) {
        let data = Data(document)
        let isFoundations = (try? JSONSerialization.jsonObject(with: data, options: [.fragmentsAllowed])) != nil
        if isFoundations == isAccepted { return }
        let text = String(data: data, encoding: .utf8)
        if isAccepted {
            // Numbers of any size are JSON; Foundation refuses those that a Double cannot hold.
            if text?.contains(where: { $0 == "e" || $0 == "E" }) == true || document.count > 300 { return }
        } else {
            // Foundation reads UTF-16 and UTF-32, a byte order mark, bytes that are zero, and deeper nesting.
            // It overlooks a comma before a closing bracket too.
            let dense = document.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
            let close = [UInt8(ascii: "]"), UInt8(ascii: "}")]
            if zip(dense, dense.dropFirst()).contains(where: { $0 == UInt8(ascii: ",") && close.contains($1) }) {
                return
            }
            if text == nil || document.first == 0xEF || document.contains(0) { return }
            if document.count(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }) > 128 { return }
        }
        preconditionFailure("Foundation \(isFoundations ? "accepts" : "refuses"): \(text ?? "no UTF-8")")
    }
}
