public import SluiceContract

/// Checks whole documents at once: for tests, the command line and small values.
public enum JSONCheck {
    /// The faults of the document; empty if it is of the type.
    /// - Parameters:
    ///   - type: nil is any JSON.
    ///   - types: the definitions of the names in `type`.
    public static func check(
        _ bytes: UnsafeRawBufferPointer, type: TypeExpression? = nil, types: [TypeDefinition] = [],
        limits: JSONLimits = JSONLimits()
    ) throws(PlanError) -> [Problem.Fault] {
        faults(bytes, try Plan([Extraction(type: type)], types: types, limits: limits))
    }

    /// Whether the bytes are JSON (RFC 8259) within the limits.
    public static func isValid(_ bytes: UnsafeRawBufferPointer, limits: JSONLimits = JSONLimits()) -> Bool {
        faults(bytes, Plan(anyWithin: limits)).isEmpty
    }

    /// Whether the text is JSON (RFC 8259) within the default limits.
    public static func isValid(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { isValid(UnsafeRawBufferPointer($0)) }
    }

    private static func faults(_ bytes: UnsafeRawBufferPointer, _ plan: Plan) -> [Problem.Fault] {
        let extractor = Extractor(plan)
        extractor.feed(bytes)
        extractor.finish()
        return extractor.faults
    }
}
