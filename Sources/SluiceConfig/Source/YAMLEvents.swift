internal import CYAML

/// The only code that uses libyaml: it turns text into a sequence of events (``Event``).
///
/// It uses events instead of the library's own tree, because the builder of a tree can then stop at any event where the
/// configuration is too deep or too large. The library itself has no such limits.
final class YAMLEvents {
    enum Event {
        case documentStart
        case documentEnd
        case streamEnd
        case scalar(SourceNode.Scalar, anchor: String?)
        case sequenceStart(anchor: String?)
        /// - Parameter isFlow: written in braces.
        case mappingStart(anchor: String?, isFlow: Bool)
        /// The end of the sequence or mapping that was begun last.
        case collectionEnd
        case alias(String)
    }

    /// An error in the YAML, in the library's words.
    struct Fault: Error {
        var problem: String
        var place: SourceNode.Place
        /// The beginning of the construct that the library was reading.
        var context: SourceNode.Place?
        /// The text holds bytes or characters that YAML does not allow anywhere.
        var isUnreadable = false
    }

    /// Both need a fixed address: the parser points at itself and at the text.
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let text: UnsafeMutableBufferPointer<UInt8>

    /// - Parameter bytes: UTF-8.
    init(_ bytes: [UInt8]) {
        text = .allocate(capacity: bytes.count)
        _ = text.initialize(from: bytes)
        parser = .allocate(capacity: 1)
        precondition(yaml_parser_initialize(parser) == 1, "no memory for a parser")
        // Otherwise the library would guess the encoding by a byte order mark.
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, text.baseAddress, text.count)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
        text.deallocate()
    }

    /// The next event and where it begins.
    func next() throws(Fault) -> (event: Event, place: SourceNode.Place) {
        while true {
            var raw = yaml_event_t()
            guard yaml_parser_parse(parser, &raw) == 1 else { throw fault() }
            defer { yaml_event_delete(&raw) }
            if let event = Self.event(raw) { return (event, Self.place(raw.start_mark)) }
        }
    }

    /// Nil for events that are not needed.
    private static func event(_ raw: yaml_event_t) -> Event? {
        switch raw.type {
        case YAML_DOCUMENT_START_EVENT: return .documentStart
        case YAML_DOCUMENT_END_EVENT: return .documentEnd
        case YAML_STREAM_END_EVENT: return .streamEnd
        case YAML_ALIAS_EVENT: return .alias(name(raw.data.alias.anchor) ?? "")
        case YAML_SCALAR_EVENT:
            let scalar = raw.data.scalar
            // A quoted `\0` is a character like any other.
            let text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
            return .scalar(.init(text: text, style: style(scalar.style)), anchor: name(scalar.anchor))
        case YAML_SEQUENCE_START_EVENT: return .sequenceStart(anchor: name(raw.data.sequence_start.anchor))
        case YAML_MAPPING_START_EVENT:
            let mapping = raw.data.mapping_start
            return .mappingStart(anchor: name(mapping.anchor), isFlow: mapping.style == YAML_FLOW_MAPPING_STYLE)
        case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: return .collectionEnd
        default: return nil
        }
    }

    private static func style(_ style: yaml_scalar_style_t) -> SourceNode.Scalar.Style {
        switch style {
        case YAML_SINGLE_QUOTED_SCALAR_STYLE, YAML_DOUBLE_QUOTED_SCALAR_STYLE: .quoted
        case YAML_LITERAL_SCALAR_STYLE, YAML_FOLDED_SCALAR_STYLE: .block
        default: .plain
        }
    }

    private static func name(_ text: UnsafePointer<yaml_char_t>?) -> String? { text.map { String(cString: $0) } }

    private static func place(_ mark: yaml_mark_t) -> SourceNode.Place {
        SourceNode.Place(line: mark.line + 1, column: mark.column + 1)
    }

    private func fault() -> Fault {
        let problem = parser.pointee.problem.map { String(cString: $0) } ?? "there is no memory for it"
        if parser.pointee.error == YAML_READER_ERROR {
            // The library has not counted the lines yet at this point.
            let before = text.prefix(parser.pointee.problem_offset)
            let line = before.count { $0 == UInt8(ascii: "\n") } + 1
            let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
            let column = String(decoding: before[start...], as: UTF8.self).unicodeScalars.count + 1
            return Fault(problem: problem, place: .init(line: line, column: column), isUnreadable: true)
        }
        let context = parser.pointee.context == nil ? nil : Self.place(parser.pointee.context_mark)
        return Fault(problem: problem, place: Self.place(parser.pointee.problem_mark), context: context)
    }
}
