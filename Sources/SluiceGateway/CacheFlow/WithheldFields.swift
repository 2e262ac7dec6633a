internal import SluiceCache
internal import SluiceHTTP

/// Fields that an answer's `Cache-Control` names: they are for the client that asked, and are not stored (RFC 9111
/// §5.2.2.4, §5.2.2.7).
struct WithheldFields {
    private let names: [[UInt8]]

    init(_ facts: CacheFacts, _ fields: borrowing HeaderBlock) {
        var names: [[UInt8]] = []
        // A targeted field takes the place of the `Cache-Control` that names them.
        if !facts.isTargeted { CacheControl.forEachFieldName(in: fields) { names.append(Array($0)) } }
        self.names = names
    }

    /// Whether one of them says what the content is: without it nothing can be stored.
    var sayWhatContentIs: Bool {
        names.contains { name in
            switch name.withUnsafeBytes({ FieldID(name: $0) }) {
            case .contentEncoding, .contentType, .contentRange, .vary: true
            default: false
            }
        }
    }

    func contains(_ name: UnsafeRawBufferPointer) -> Bool { names.contains { name.equalsIgnoringCase($0) } }
}
