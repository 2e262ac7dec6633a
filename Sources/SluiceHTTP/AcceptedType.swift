/// `Accept`: which media type a client would like best (RFC 9110 §12.5.1).
public enum AcceptedType {
    /// Whether the client would rather have this type than anything else it names. Of equals the first counts; a range
    /// (`*/*`) names no type.
    /// - Parameter mediaType: in lower case.
    public static func isFirst(_ mediaType: StaticString, in fields: borrowing HeaderBlock) -> Bool {
        var weightMax: Int16 = 0
        var isFirst = false
        for index in 0..<fields.count where fields[index].id == .accept {
            var elements = ListIterator(fields.value(index), honoursQuotes: true)
            while let element = elements.next() {
                let end = element.place(of: UInt8(ascii: ";"))
                let weight = weight(of: element.part(end, element.count))
                if weight <= weightMax { continue }
                weightMax = weight
                isFirst = element.part(0, end).trimmed.equalsIgnoringCase(mediaType)
            }
        }
        return isFirst
    }

    /// In thousandths. One that is no qvalue says nothing of its element, which is passed over.
    private static func weight(of text: UnsafeRawBufferPointer) -> Int16 {
        var weight: Int16 = 1000
        var parameters = ParameterIterator(text)
        while let parameter = parameters.next() {
            guard parameter.name.equalsIgnoringCase("q") else { continue }
            weight = parameter.value.isEmpty ? 0 : AcceptEncoding.qvalue(parameter.value) ?? 0
        }
        return weight
    }
}
