import SluiceContract
import Glibc

/// The condition by which an array element is chosen: it has this value at a path.
struct ElementCondition {
    /// Reads the value; an element without the value, or with a key of the path twice, is not chosen.
    let plan: Plan
    private let value: FieldPath.Component.Literal
    /// The string as JSON, with only the escapes that are required; empty if the value is not a string.
    private let written: [UInt8]

    init(plan: Plan, value: FieldPath.Component.Literal) {
        self.plan = plan
        self.value = value
        if case .string(let text) = value { written = Array(JSONText.quote(text).utf8) } else { written = [] }
    }

    /// A quick check whether the condition may hold: an element with neither the string nor an escape need not be
    /// parsed.
    func mayHold(_ element: UnsafeRawBufferPointer) -> Bool {
        guard !written.isEmpty, let start = element.baseAddress else { return true }
        if memchr(start, Int32(UInt8(ascii: "\\")), element.count) != nil { return true }
        var rest = element
        while rest.count >= written.count, let quote = memchr(rest.baseAddress!, Int32(written[0]), rest.count) {
            let offset = UnsafeRawPointer(quote) - start
            rest = UnsafeRawBufferPointer(rebasing: element[offset...])
            if rest.count >= written.count, memcmp(quote, written, written.count) == 0 { return true }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst())
        }
        return false
    }

    func holds(_ element: UnsafeRawBufferPointer, _ extractor: Extractor) -> Bool {
        extractor.reset(plan)
        guard let json = extractor.onlyValue(of: element) else { return false }
        switch value {
        case .string(let text): return json.hasPrefix("\"") && JSONText.unquote(json) == text
        case .plain(let wanted):
            if DecimalText.isNumber(wanted), DecimalText.isNumber(json) { return DecimalText.order(json, wanted) == 0 }
            return json == wanted
        }
    }
}
