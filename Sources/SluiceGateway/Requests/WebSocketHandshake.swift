internal import CDigest
internal import SluiceContract
internal import SluiceHTTP

/// The opening handshake of RFC 6455 §4, as an intermediary sees it: both sides are checked before bytes pass.
enum WebSocketHandshake {
    /// Whether the request asks for WebSocket. Other protocols are not offered here, and a server may ignore `Upgrade`
    /// (RFC 9110 §7.8).
    static func isAsked(by request: borrowing RequestHead) -> Bool {
        request.upgrade && names("websocket", request.fields, .upgrade)
    }

    /// What is wrong with a client's handshake (RFC 6455 §4.2.1); nil where nothing is.
    static func problem(of request: borrowing RequestHead) -> Problem? {
        guard request.method == .get else {
            return Problem(.badRequest, detail: "A WebSocket begins with a GET (RFC 6455 §4.1).")
        }
        // One side would read the bytes behind the head as content, the other as frames.
        guard request.framing == .none || request.framing == .length(0) else {
            return Problem(.badRequest, detail: "The request that begins a WebSocket has no content.")
        }
        guard let key = only(.secWebSocketKey, request.fields), isKey(key) else {
            return Problem(
                .badRequest, detail: "Sec-WebSocket-Key has to stand once, with 16 bytes in base64 (RFC 6455 §4.1).")
        }
        guard hasKnownVersion(request) else {
            return Problem(.upgradeRequired, detail: "The only WebSocket version known is 13 (RFC 6455 §4.4).")
        }
        return nil
    }

    /// Whether `Sec-WebSocket-Version` is 13, the only version (RFC 6455 §4.1).
    static func hasKnownVersion(_ request: borrowing RequestHead) -> Bool {
        only(.secWebSocketVersion, request.fields)?.elementsEqual("13".utf8) == true
    }

    /// A new `Sec-WebSocket-Key`: 16 bytes in base64 (RFC 6455 §4.1).
    static func makeKey(_ random: inout RandomSource) -> [UInt8] {
        let nonce = [random.next(), random.next()].flatMap { number in withUnsafeBytes(of: number) { Array($0) } }
        var text = [UInt8](repeating: 0, count: 25)
        _ = cdigest_base64(nonce, Int32(nonce.count), &text)
        return text.dropLast()
    }

    /// What is wrong with the upstream's answer (RFC 6455 §4.1, step 2 of what a client must check); nil where nothing
    /// is.
    static func fault(in response: borrowing ResponseHead, to request: borrowing RequestHead) -> StaticString? {
        guard response.version == .http11, only(.upgrade, response.fields)?.equalsIgnoringCase("websocket") == true
        else {
            return "It switched to a protocol that was not asked for."
        }
        guard names("upgrade", response.fields, .connection) else {
            return "Its 101 does not name Upgrade in Connection (RFC 6455 §4.2.2)."
        }
        guard let key = only(.secWebSocketKey, request.fields), let accept = only(.secWebSocketAccept, response.fields),
            accept.elementsEqual(acceptance(of: key))
        else {
            return "Its Sec-WebSocket-Accept is not that of the key (RFC 6455 §4.2.2)."
        }
        return nil
    }

    /// Whether the upstream has chosen something that the client did not offer (RFC 6455 §4.1, steps 5 and 6); nil
    /// where not.
    static func choiceFault(in response: borrowing ResponseHead, to request: borrowing RequestHead) -> StaticString? {
        if !isOffered(.secWebSocketProtocol, in: response.fields, by: request.fields, endsAt: nil) {
            return "It chose a subprotocol that was not asked for (RFC 6455 §4.1)."
        }
        // The name of an extension comes before its parameters (§9.1).
        if !isOffered(.secWebSocketExtensions, in: response.fields, by: request.fields, endsAt: UInt8(ascii: ";")) {
            return "It chose an extension that was not asked for (RFC 6455 §4.1)."
        }
        return nil
    }

    /// Whether each element of a list in the answer is also in the request's list.
    private static func isOffered(
        _ id: FieldID, in answered: borrowing HeaderBlock, by asked: borrowing HeaderBlock, endsAt end: UInt8?
    ) -> Bool {
        if answered.firstIndex(of: id) == nil { return true }
        let offered = elements(id, asked, endsAt: end)
        return elements(id, answered, endsAt: end).allSatisfy { offered.contains($0) }
    }

    private static func elements(_ id: FieldID, _ fields: borrowing HeaderBlock, endsAt end: UInt8?) -> Set<[UInt8]> {
        var names: Set<[UInt8]> = []
        for index in 0..<fields.count where fields[index].id == id {
            var list = ListIterator(fields.value(index), honoursQuotes: true)
            while let next = list.next() {
                names.insert(Array(UnsafeRawBufferPointer(rebasing: next.prefix { $0 != end }).trimmed))
            }
        }
        return names
    }

    /// Turns the answer to an extended CONNECT into one for an HTTP/1.1 client, which has sent a key (RFC 8441 §5).
    static func translate(_ response: inout ResponseHead, for request: borrowing RequestHead) {
        response.fields.markAll(.secWebSocketAccept)
        response.fields.markAll(.contentLength)
        guard request.connectProtocol == .none, let key = only(.secWebSocketKey, request.fields) else { return }
        acceptance(of: key).withUnsafeBytes { response.fields.append(.secWebSocketAccept, value: $0) }
    }

    /// `Sec-WebSocket-Accept` for a `Sec-WebSocket-Key`, 28 bytes (RFC 6455 §4.2.2).
    static func acceptance(of key: UnsafeRawBufferPointer) -> [UInt8] {
        let input = Array(key) + Array("258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8)
        var digest = [UInt8](repeating: 0, count: 20)
        cdigest_sha1(input, UInt(input.count), &digest)
        // One byte more, for the NUL at the end of the text.
        var text = [UInt8](repeating: 0, count: 29)
        _ = cdigest_base64(digest, Int32(digest.count), &text)
        return text.dropLast()
    }

    /// 22 characters of base64 and the padding stand for 16 bytes.
    private static func isKey(_ value: UnsafeRawBufferPointer) -> Bool {
        guard value.count == 24, value[22] == UInt8(ascii: "="), value[23] == UInt8(ascii: "=") else { return false }
        return value.prefix(22).allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
                true
            default: false
            }
        }
    }

    /// The value of a field; nil where the field is missing or repeated.
    private static func only(_ id: FieldID, _ fields: borrowing HeaderBlock) -> UnsafeRawBufferPointer? {
        guard fields.count(of: id) == 1, let index = fields.firstIndex(of: id) else { return nil }
        return fields.value(index)
    }

    /// Whether a list field has the element, ignoring case.
    private static func names(_ element: StaticString, _ fields: borrowing HeaderBlock, _ id: FieldID) -> Bool {
        for index in 0..<fields.count where fields[index].id == id {
            var list = ListIterator(fields.value(index))
            while let next = list.next() {
                if next.equalsIgnoringCase(element) { return true }
            }
        }
        return false
    }
}
