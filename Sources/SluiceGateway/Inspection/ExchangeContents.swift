internal import SluiceContract
internal import SluiceHTTP

/// The messages of one exchange on both sides of the gateway, as far as they are kept (`inspect:`). Fields with
/// credentials are left out at once; other secrets are removed before anything is shown (``Inspection``).
final class ExchangeContents {
    /// Both messages of one attempt at an upstream.
    struct Attempt {
        let request = MessageContents()
        let answer = MessageContents()
        /// When the whole request was sent.
        var sentAt: UInt64?
        /// The target, where the exchange is recorded.
        var target: [UInt8] = []
    }

    /// Bytes that may still be kept of the exchange.
    private final class Room {
        var bytes: Int

        init(_ bytes: Int) {
            self.bytes = bytes
        }
    }

    private let settings: InspectSettings
    private let space: Room
    private var room: Int {
        get { space.bytes }
        set { space.bytes = newValue }
    }
    let request = MessageContents()
    let answer = MessageContents()
    /// Indexed like ``ExchangeRecord/attempts``.
    private(set) var attempts: [Attempt] = []
    /// Secrets to be masked in the messages.
    private(set) var mask = CredentialMask()
    /// Secrets that were added to the mask. Kept alive, because they are told apart by identity.
    private var masked: [AnyObject] = []
    /// nil for a part, which is not counted in addition to its composed answer.
    private let count: InspectionCount?
    /// For a part: the contents of the composed answer, where that is inspected.
    private let whole: ExchangeContents?
    /// The name of the part, such as `user`, or `page.user` for a part of a part.
    private(set) var partName: String?
    /// Attempts of the parts that have ended.
    private(set) var partAttempts: [Inspection.Attempt] = []
    /// When the client's exchange began.
    let startedAt: UInt64
    /// Gets the attempts that have ended, where these are recorded.
    let recorder: ExchangeRecorder?
    /// Milliseconds since 1970.
    private let clock: @Sendable () -> Int64
    private var binding: String?

    /// Counted for each field in addition to its bytes.
    private static let fieldBytes = 64
    /// The most bytes that are kept of a request line or status line.
    private static let lineMax = 8 << 10

    /// - Parameters:
    ///   - count: has already counted this exchange.
    ///   - now: the loop's time.
    init(
        _ settings: InspectSettings, _ count: InspectionCount, recorder: ExchangeRecorder? = nil, at now: UInt64 = 0,
        clock: @escaping @Sendable () -> Int64 = { 0 }
    ) {
        (self.settings, self.count, self.recorder, self.clock) = (settings, count, recorder, clock)
        space = Room(settings.exchangeBytesMax)
        (whole, startedAt) = (nil, now)
    }

    /// For a part. Where the exchange is shown, the part shares the room of the composed answer.
    private init(partOf whole: ExchangeContents, named name: String) {
        (settings, recorder, clock) = (whole.settings, whole.recorder, whole.clock)
        (count, startedAt) = (nil, whole.startedAt)
        let isRecorded = whole.recorder != nil
        space = isRecorded ? Room(whole.settings.exchangeBytesMax) : whole.space
        self.whole = isRecorded ? nil : whole
        partName = (whole.partName.map { $0 + "." } ?? "") + name
    }

    deinit {
        count?.leave()
        if let recorder { for attempt in attempts { recorder.giveBack(attempt.bodyBytes) } }
    }

    // MARK: - Parts

    func part(named name: String) -> ExchangeContents { ExchangeContents(partOf: self, named: name) }

    /// Hands the attempts of an ended part to the composed answer.
    func hand(over attempts: [Inspection.Attempt]) {
        guard let whole else { return }
        let room = max(0, ExchangeRecord.attemptsMax - whole.partAttempts.count)
        whole.partAttempts += attempts.prefix(room)
    }

    // MARK: - Heads

    /// - Parameter lines: further fields, each `name: value` CRLF.
    func take(
        _ line: String, _ fields: borrowing HeaderBlock, lines: UnsafeRawBufferPointer = .empty,
        into message: MessageContents
    ) {
        begin(line, message)
        take(fields, into: message)
        take(lines: lines, into: message)
    }

    /// Takes header fields or trailers.
    func take(_ fields: borrowing HeaderBlock, into message: MessageContents) {
        for index in 0..<fields.count where !fields.isMarked(index) {
            take(fields.name(index), fields.value(index), into: message)
        }
    }

    /// - Parameters:
    ///   - head: request line or status line, and fields.
    ///   - line: kept in place of the head's own first line.
    func take(head: UnsafeRawBufferPointer, line: String? = nil, into message: MessageContents) {
        let end = head.firstIndex(of: UInt8(ascii: "\r")) ?? head.count
        begin(line ?? Self.line(UnsafeRawBufferPointer(rebasing: head[..<end])), message)
        take(lines: UnsafeRawBufferPointer(rebasing: head[end...]), into: message)
    }

    /// Masks the secrets in a request line; the part after the last blank stays.
    private static func line(_ line: UnsafeRawBufferPointer) -> String {
        guard let end = line.lastIndex(of: UInt8(ascii: " ")) else { return QueryMask.text(line) }
        let version = String(decoding: line[end...], as: UTF8.self)
        return QueryMask.text(UnsafeRawBufferPointer(rebasing: line[..<end])) + version
    }

    private func begin(_ line: String, _ message: MessageContents) {
        message.line = String(decoding: line.utf8.prefix(min(Self.lineMax, room)), as: UTF8.self)
        message.fields = []
        room -= min(room, message.line.utf8.count)
    }

    private func take(
        lines: UnsafeRawBufferPointer, into message: MessageContents
    ) {
        for line in lines.split(whereSeparator: { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }) {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let value = line[(colon + 1)...].drop { $0 == UInt8(ascii: " ") }
            take(
                UnsafeRawBufferPointer(rebasing: line[..<colon]), UnsafeRawBufferPointer(rebasing: value),
                into: message)
        }
    }

    private func take(
        _ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer,
        into message: MessageContents
    ) {
        let id = FieldID(name: name)
        let text = String(decoding: name, as: UTF8.self)
        let isSecret = SecretField.isOne(id, text, value)
        // Also where the field itself finds no room: its value may occur again later.
        if isSecret { SecretField.insert(value, of: id, into: &mask) }
        if Self.isCoding(id, text, value) { message.isCoded = true }
        let cost = name.count + value.count + Self.fieldBytes
        guard cost <= room else {
            message.isCut = true
            return
        }
        room -= cost
        // The value may be a URL, with a key in its query.
        message.fields.append((text, isSecret ? MessageContents.redacted : QueryMask.text(value)))
    }

    /// Whether the field says that the body is coded, so that secrets in it cannot be found; gRPC has a field of its
    /// own.
    private static func isCoding(_ id: FieldID, _ name: String, _ value: UnsafeRawBufferPointer) -> Bool {
        if id == .contentEncoding { return true }
        return name.lowercased() == "grpc-encoding" && !value.elementsEqual("identity".utf8)
    }

    // MARK: - Bodies

    /// - Parameter isDecoded: whether the content coding has been removed.
    func take(
        body bytes: UnsafeRawBufferPointer, isDecoded: Bool = false,
        into message: MessageContents
    ) {
        message.size += bytes.count
        let isHidden = message.isCoded && !isDecoded
        var kept = isHidden ? 0 : min(bytes.count, settings.bodyBytes - message.body.count, room)
        if let recorder, kept > 0, !recorder.hold(kept) { (kept, message.lacksRoom) = (0, true) }
        room -= kept
        message.body += bytes.prefix(kept)
        if kept < bytes.count { message.isCut = true }
    }

    /// The client's body, unless exchanges are recorded: then the body is kept as it is sent upstream.
    func take(clientBody bytes: UnsafeRawBufferPointer) {
        if recorder == nil { take(body: bytes, into: request) }
    }

    // MARK: - Attempts

    /// Makes room in `attempts` for the attempt.
    func begin(attempt position: Int, of binding: String?, for target: UnsafeRawBufferPointer) {
        self.binding = binding
        while attempts.count <= position { attempts.append(Attempt()) }
        if recorder != nil { attempts[position].target = Array(target) }
    }

    /// Notes that the attempt's request was sent completely.
    func sentAll(_ position: Int, at now: UInt64) { attempts[position].sentAt = now }

    /// An attempt has ended. If it is recorded, the room that it took is free again.
    func ended(attempt position: Int, _ record: AttemptRecord, isWhole: Bool) {
        guard let recorder, attempts.indices.contains(position) else { return }
        let kept = attempts[position]
        recorder.ended(record, kept, mask, isWhole: isWhole, binding: binding, at: clock())
        room += kept.bodyBytes
        recorder.giveBack(kept.bodyBytes)
        attempts[position] = Attempt()
    }

    // MARK: - Secrets

    /// Notes a secret that is sent. A composed answer may show the secrets of its parts, so it masks them too.
    /// - Parameter insert: adds the secret to a mask; called once for each secret.
    func hide(_ secret: AnyObject, _ insert: (inout CredentialMask) -> Void) {
        whole?.hide(secret, insert)
        if masked.contains(where: { $0 === secret }) { return }
        masked.append(secret)
        insert(&mask)
    }

    /// Masks values in the request's query whose names are typical of credentials: an upstream may echo them.
    func hide(query: UnsafeRawBufferPointer) {
        SecretField.insert(query: query, except: recorder?.names.compared ?? [], into: &mask)
    }

    /// Masks the client's credentials, where nothing else of its request is kept.
    func hide(fields: borrowing HeaderBlock) {
        for index in 0..<fields.count where !fields.isMarked(index) {
            let id = FieldID(name: fields.name(index))
            let name = String(decoding: fields.name(index), as: UTF8.self)
            if SecretField.isOne(id, name, fields.value(index)) {
                SecretField.insert(fields.value(index), of: id, into: &mask)
            }
        }
    }
}

extension ExchangeContents.Attempt {
    fileprivate var bodyBytes: Int { request.body.count + answer.body.count }
}
