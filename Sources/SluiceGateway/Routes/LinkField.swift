internal import SluiceHTTP

/// `Link` fields (RFC 8288 §3).
enum LinkField {
    /// The target of the first link with this relation, as it is written; nil where there is none.
    static func target(of relation: String, in name: String, _ fields: borrowing HeaderBlock) -> [UInt8]? {
        for index in 0..<fields.count where fields.name(index).equalsIgnoringCase(Array(name.utf8)) {
            var links = ListIterator(fields.value(index))
            while let link = links.next() {
                guard link.first == UInt8(ascii: "<"), let close = link.firstIndex(of: UInt8(ascii: ">")) else {
                    continue
                }
                var parameters = ParameterIterator(UnsafeRawBufferPointer(rebasing: link[(close + 1)...]))
                while let parameter = parameters.next() {
                    guard parameter.name.equalsIgnoringCase("rel") else { continue }
                    let relations = Array(parameter.value).split { $0 == 0x20 || $0 == UInt8(ascii: "\"") }
                    if relations.contains(where: { $0.elementsEqual(relation.utf8) }) { return Array(link[1..<close]) }
                }
            }
        }
        return nil
    }
}
