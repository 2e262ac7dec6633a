internal import SluiceHTTP
internal import SluiceJSON

/// Replaces the strings of a JSON document that `local-urls:` names, while it passes in pieces cut anywhere. It
/// validates nothing: bytes that are not JSON pass, too.
final class LocalURLEditor {
    private enum Role {
        /// The string passes unchanged.
        case passing
        case key
        /// The string is held until it is complete.
        case url
    }

    private struct Frame {
        let isObject: Bool
        let places: LocalURLRule.Places
        var awaitsKey: Bool
        /// The places of the member whose key was read last.
        var member: LocalURLRule.Places = 0
        var index = 0
    }

    private let rule: LocalURLRule
    /// The open containers on a path; no more than the longest path has parts.
    private var frames: [Frame] = []
    /// The nesting depth inside a container that no path leads into.
    private var skippedDepth = 0
    private var string: Role?
    private var isEscaped = false
    /// The bytes of a key or a URL read so far.
    private var text: [UInt8] = []
    /// The limit of a URL with its quotes. A longer one passes unchanged, however it is cut.
    private static let urlBytesMax = 16 << 10

    init(_ rule: LocalURLRule) {
        self.rule = rule
    }

    /// - Parameter local: the replacement of a text; nil leaves the text as it is.
    func edit(_ run: UnsafeRawBufferPointer, into out: inout Outbox, _ local: (String) -> String?) {
        var next = 0
        // The start of the bytes that pass unchanged.
        var start = 0
        while next < run.count {
            if let role = string {
                let end = stringEnd(run, from: next)
                let piece = UnsafeRawBufferPointer(rebasing: run[next..<(end ?? run.count)])
                next = end ?? run.count
                switch role {
                case .passing: break
                case .key: if text.count <= rule.keyBytesMax { text.append(contentsOf: piece) }
                case .url:
                    text.append(contentsOf: piece)
                    start = next
                    if end != nil { put(local, into: &out) } else { limitText(into: &out) }
                }
                if end != nil { endString(role) }
                continue
            }
            let byte = run[next]
            if byte == UInt8(ascii: "\"") {
                let role = role()
                string = role
                if role != .passing { text = [byte] }
                if role == .url {
                    out.append(UnsafeRawBufferPointer(rebasing: run[start..<next]))
                    start = next + 1
                }
            } else if byte > 0x20 {
                take(byte)
            }
            next += 1
        }
        if start < run.count { out.append(UnsafeRawBufferPointer(rebasing: run[start...])) }
    }

    // MARK: - Strings

    /// The index after the closing quote; nil where the piece ends before it.
    private func stringEnd(_ run: UnsafeRawBufferPointer, from first: Int) -> Int? {
        var index = first
        while index < run.count {
            let byte = run[index]
            index += 1
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                return index
            }
        }
        return nil
    }

    private func role() -> Role {
        if skippedDepth > 0 { return .passing }
        if let frame = frames.last, frame.isObject, frame.awaitsKey { return .key }
        return rule.hasEnd(valuePlaces) ? .url : .passing
    }

    private func endString(_ role: Role) {
        string = nil
        guard role == .key, let last = frames.indices.last else { return }
        frames[last].awaitsKey = false
        frames[last].member = text.count > rule.keyBytesMax ? 0 : rule.member(text, of: frames[last].places)
    }

    private func put(_ local: (String) -> String?, into out: inout Outbox) {
        if text.count > Self.urlBytesMax { return out.append(text) }
        let json = String(decoding: text, as: UTF8.self)
        if let url = JSONText.unquote(json), let other = local(url) {
            out.append(Array(JSONText.quote(other).utf8))
        } else {
            out.append(text)
        }
    }

    private func limitText(into out: inout Outbox) {
        if text.count <= Self.urlBytesMax { return }
        out.append(text)
        (text, string) = ([], .passing)
    }

    // MARK: - All else

    /// The places of the value that comes next.
    private var valuePlaces: LocalURLRule.Places {
        guard let frame = frames.last else { return rule.root }
        return frame.isObject ? frame.member : rule.element(frame.index, of: frame.places)
    }

    private func take(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            let places = skippedDepth > 0 ? 0 : valuePlaces
            if places == 0 {
                skippedDepth += 1
            } else {
                let isObject = byte == UInt8(ascii: "{")
                frames.append(Frame(isObject: isObject, places: places, awaitsKey: isObject))
            }
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            if skippedDepth > 0 { skippedDepth -= 1 } else { _ = frames.popLast() }
        case UInt8(ascii: ",") where skippedDepth == 0:
            guard let last = frames.indices.last else { return }
            frames[last].awaitsKey = frames[last].isObject
            frames[last].index += 1
        default: break
        }
    }
}
