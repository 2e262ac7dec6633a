/// Reads what the gateway writes, as a peer would: a parser of its own, so that the gateway's are not their own judge.
///
/// It takes nothing that a careful writer would not send: LF alone, a missing length or a junk chunk size is a fault.
struct MessageReader {
    private(set) var messages: [Message] = []
    /// 1xx answers, in the order of arrival.
    private(set) var interim: [Message] = []
    private(set) var fault: String?
    /// Bytes read so far.
    private(set) var byteCount = 0
    /// For answers: methods of the requests whose answers have not begun. nil reads requests.
    var awaited: [String]?
    var keepsBodies = true
    private var buffer: [UInt8] = []
    private var position = 0
    /// Up to here there is no line end, from `position` on.
    private var searched = 0
    private var state = State.startLine

    private enum State {
        case startLine, fields, length(Int), chunkSize, chunk(Int), chunkEnd, trailers, untilClose
        /// The body of a problem about a HEAD that could not be read whole: who sent it expects none and the end.
        case ignoring
    }

    init(answersTo awaited: [String]? = nil) {
        self.awaited = awaited
    }

    /// Whether the last message is still arriving.
    var isInside: Bool {
        if case .startLine = state { return position < buffer.count }
        return true
    }

    mutating func feed(_ bytes: UnsafeRawBufferPointer) {
        if position == buffer.count {
            buffer.removeAll(keepingCapacity: true)
            position = 0
            searched = 0
        }
        byteCount += bytes.count
        buffer.append(contentsOf: bytes)
        while fault == nil, step() {}
    }

    /// The peer's connection has ended.
    /// - Parameter isClean: by a proper end, not by a reset.
    mutating func end(isClean: Bool) {
        if case .untilClose = state, isClean { complete() }
    }

    /// - Returns: whether there may be more.
    private mutating func step() -> Bool {
        switch state {
        case .startLine:
            guard let line = takeLine() else { return false }
            messages.append(Message(startLine: line))
            state = .fields
        case .fields:
            guard let line = takeLine() else { return false }
            if line.isEmpty { headEnded() } else { messages[messages.count - 1].fields.append(field(line)) }
        case .length(let left): return takeBody(left)
        case .untilClose: return takeBody(.max)
        case .ignoring: return false
        case .chunkSize:
            guard let line = takeLine() else { return false }
            guard let size = Int(line, radix: 16) else {
                fault = "chunk size '\(line)'"
                return false
            }
            state = size == 0 ? .trailers : .chunk(size)
        case .chunk(let left): return takeBody(left)
        case .chunkEnd:
            guard let line = takeLine() else { return false }
            if !line.isEmpty { fault = "'\(line)' behind a chunk" }
            state = .chunkSize
        case .trailers:
            guard let line = takeLine() else { return false }
            if line.isEmpty { complete() } else { messages[messages.count - 1].trailers.append(field(line)) }
        }
        return true
    }

    private mutating func headEnded() {
        messages[messages.count - 1].isHeadComplete = true
        let head = messages[messages.count - 1]
        let length = head["Content-Length"]
        if awaited != nil {
            if (100..<200).contains(head.status) {
                interim.append(head)
                messages.removeLast()
                state = .startLine
                return
            }
            guard awaited?.isEmpty == false, let method = awaited?.removeFirst() else {
                fault = "an answer that nobody asked for: \(head.startLine)"
                return
            }
            if method == "HEAD" || [204, 304].contains(head.status) {
                complete()
                if method == "HEAD", head["Connection"] == "close" { state = .ignoring }
                return
            }
        }
        if head["Transfer-Encoding"] == "chunked" {
            if length != nil { fault = "both Content-Length and Transfer-Encoding" }
            messages[messages.count - 1].isChunked = true
            state = .chunkSize
        } else if let length {
            guard let count = Int(length) else {
                fault = "Content-Length '\(length)'"
                return
            }
            state = .length(count)
            if count == 0 { complete() }
        } else if awaited != nil {
            state = .untilClose
        } else {
            complete()
        }
    }

    private mutating func takeBody(_ left: Int) -> Bool {
        let taken = min(left, buffer.count - position)
        guard taken > 0 else { return false }
        let last = messages.count - 1
        if keepsBodies { messages[last].body += buffer[position..<position + taken] }
        messages[last].bodyCount += taken
        position += taken
        switch state {
        case .length(let left) where taken == left: complete()
        case .length(let left): state = .length(left - taken)
        case .chunk(let left): state = taken == left ? .chunkEnd : .chunk(left - taken)
        default: break
        }
        return true
    }

    private mutating func complete() {
        messages[messages.count - 1].isComplete = true
        state = .startLine
    }

    private mutating func field(_ line: String) -> Message.Field {
        guard let colon = line.firstIndex(of: ":") else {
            fault = "field line '\(line)'"
            return Message.Field(name: line, value: "")
        }
        return Message.Field(
            name: String(line[..<colon]), value: String(line[line.index(after: colon)...].drop { $0 == " " }))
    }

    private mutating func takeLine() -> String? {
        guard let end = buffer[max(position, searched)...].firstIndex(of: 0x0A) else {
            searched = buffer.count
            return nil
        }
        guard end > position, buffer[end - 1] == 0x0D else {
            fault = "a line without CR"
            return nil
        }
        defer { position = end + 1 }
        return String(decoding: buffer[position..<end - 1], as: UTF8.self)
    }
}
