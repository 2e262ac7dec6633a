internal import SluiceContract
internal import SluiceHTTP

/// What goes over both sides of the gateway for one exchange, as far as it is kept (`inspect:`). Fields that are
/// credentials are left out at once; what else is secret stands in it as long as the exchange lasts, and is taken out
/// before anything is shown (``Inspection``).
final class ExchangeContents {
    /// Both messages of one attempt at an upstream.
    struct Attempt {
        let request = MessageContents()
        let answer = MessageContents()
        /// When all of the request was out.
        var sentAt: UInt64?
        /// What was asked for, where that is recorded.
        var target: [UInt8] = []
    }

    /// Bytes that may still be kept, of everything together.
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
    /// By the positions of ``ExchangeRecord/attempts``.
    private(set) var attempts: [Attempt] = []
    /// What is secret in it.
    private(set) var mask = CredentialMask()
    /// What has been put into it; kept, so that nothing else comes to lie where one of them was.
    private var masked: [AnyObject] = []
    /// Nil of a part, which is not counted beside its whole.
    private let count: InspectionCount?
    /// Of the composed answer that it is a part of, where that is inspected.
    private let whole: ExchangeContents?
    /// Of what it is a part: `user`, or `page.user` where that is a part, too.
    private(set) var partName: String?
    /// Attempts for its parts, once those are over.
    private(set) var partAttempts: [Inspection.Attempt] = []
    /// When the exchange began that a client has asked for.
    let startedAt: UInt64
    /// Where attempts go once they are over, where they are recorded.
    let recorder: ExchangeRecorder?
    /// Milliseconds since 1970.
    private let clock: @Sendable () -> Int64
    private var binding: String?

    /// What a field costs beside its bytes.
    private static let fieldBytes = 64
    /// Of a request line or status line.
    private static let lineMax = 8 << 10

    /// - Parameters:
    ///   - count: has been told that there is one more.
    ///   - now: of the loop.
    init(
        _ settings: InspectSettings, _ count: InspectionCount, recorder: ExchangeRecorder? = nil, at now: UInt64 = 0,
        clock: @escaping @Sendable () -> Int64 = { 0 }
    ) {
        (self.settings, self.count, self.recorder, self.clock) = (settings, count, recorder, clock)
        space = Room(settings.exchangeBytesMax)
        (whole, startedAt) = (nil, now)
    }

    /// Of a part. Where it is shown, what is kept of it finds its room in that of the whole.
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

    /// It is a part, and over.
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

    /// Fields, or trailers behind them.
    func take(_ fields: borrowing HeaderBlock, into message: MessageContents) {
        for index in 0..<fields.count where !fields.isMarked(index) {
            take(fields.name(index), fields.value(index), into: message)
        }
    }

    /// - Parameters:
    ///   - head: request line or status line, and fields.
    ///   - line: is kept in the place of its line.
    func take(head: UnsafeRawBufferPointer, line: String? = nil, into message: MessageContents) {
        let end = head.firstIndex(of: UInt8(ascii: "\r")) ?? head.count
        begin(line ?? Self.line(UnsafeRawBufferPointer(rebasing: head[..<end])), message)
        take(lines: UnsafeRawBufferPointer(rebasing: head[end...]), into: message)
    }

    /// A request line, or a status line, in which there is no query.
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
        // Of what finds no room, too, something may follow.
        if isSecret { SecretField.insert(value, of: id, into: &mask) }
        if Self.isCoding(id, text, value) { message.isCoded = true }
        let cost = name.count + value.count + Self.fieldBytes
        guard cost <= room else {
            message.isCut = true
            return
        }
        room -= cost
        // A field may hold an address, and that a key.
        message.fields.append((text, isSecret ? MessageContents.redacted : QueryMask.text(value)))
    }

    /// Whether what is in the body cannot be seen: messages of gRPC have a coding of their own.
    private static func isCoding(_ id: FieldID, _ name: String, _ value: UnsafeRawBufferPointer) -> Bool {
        if id == .contentEncoding { return true }
        return name.lowercased() == "grpc-encoding" && !value.elementsEqual("identity".utf8)
    }

    // MARK: - Bodies

    /// - Parameter isDecoded: whether a content coding has been taken off.
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

    /// What the client sends is recorded as it goes on to an upstream.
    func take(clientBody bytes: UnsafeRawBufferPointer) {
        if recorder == nil { take(body: bytes, into: request) }
    }

    // MARK: - Attempts

    /// Makes a place for the attempt.
    func begin(attempt position: Int, of binding: String?, for target: UnsafeRawBufferPointer) {
        self.binding = binding
        while attempts.count <= position { attempts.append(Attempt()) }
        if recorder != nil { attempts[position].target = Array(target) }
    }

    /// All of an attempt's request is out.
    func sentAll(_ position: Int, at now: UInt64) { attempts[position].sentAt = now }

    /// An attempt is over. What is recorded of it leaves its room to the next one.
    func ended(attempt position: Int, _ record: AttemptRecord, isWhole: Bool) {
        guard let recorder, attempts.indices.contains(position) else { return }
        let kept = attempts[position]
        recorder.ended(record, kept, mask, isWhole: isWhole, binding: binding, at: clock())
        room += kept.bodyBytes
        recorder.giveBack(kept.bodyBytes)
        attempts[position] = Attempt()
    }

    // MARK: - Secrets

    /// Something that goes out is secret. A composed answer may show what its parts have gone out with.
    /// - Parameter insert: has it taken out; called once for each.
    func hide(_ secret: AnyObject, _ insert: (inout CredentialMask) -> Void) {
        whole?.hide(secret, insert)
        if masked.contains(where: { $0 === secret }) { return }
        masked.append(secret)
        insert(&mask)
    }

    /// Values of the request's own query that sound like credentials: an upstream may echo them.
    func hide(query: UnsafeRawBufferPointer) {
        SecretField.insert(query: query, except: recorder?.names.compared ?? [], into: &mask)
    }

    /// Credentials of the client's, where nothing else of its request is kept.
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
