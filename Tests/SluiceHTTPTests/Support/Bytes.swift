import Glibc
@testable import SluiceHTTP

extension String {
    /// Lends the text's UTF-8 bytes.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try Array(utf8).withUnsafeBytes(body)
    }

    init(_ bytes: UnsafeRawBufferPointer) {
        self.init(decoding: bytes, as: UTF8.self)
    }

    /// With control characters made visible, for names of test cases.
    var visible: String {
        var text = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "\r": text += "\\r"
            case "\n": text += "\\n"
            case "\t": text += "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7f: text += "\\{\(scalar.value)}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text.count > 90 ? text.prefix(90) + "…" : text
    }
}

extension HeaderBlock {
    /// `Name: value` of all fields; a star before those that are marked.
    var lines: [String] {
        (0..<count).map { (isMarked($0) ? "*" : "") + String(name($0)) + ": " + String(value($0)) }
    }
}

extension Outbox {
    /// Everything in it, as text.
    var text: String {
        var copy: [UInt8] = []
        withUnsafeTemporaryAllocation(of: iovec.self, capacity: 1024) { vectors in
            for index in 0..<gather(into: vectors) {
                copy += UnsafeRawBufferPointer(start: vectors[index].iov_base, count: vectors[index].iov_len)
            }
        }
        return String(decoding: copy, as: UTF8.self)
    }
}
