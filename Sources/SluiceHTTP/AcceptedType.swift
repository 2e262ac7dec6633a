/// `Accept`: which media type a client would like best (RFC 9110 §12.5.1).
public enum AcceptedType {
    /// Whether the client prefers this type to every other that it names. Among equal weights the first element wins; a
    /// range (`*/*`) names no type.
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

    /// The weight in thousandths; 0 where it is no valid qvalue, so that the element is ignored.
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
