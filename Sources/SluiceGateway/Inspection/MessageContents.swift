/// One message of an exchange, as far as it is kept.
final class MessageContents {
    /// Request line or status line.
    var line = ""
    var fields: [(name: String, value: String)] = []
    var body: [UInt8] = []
    /// Size of the body that has arrived so far, including bytes that are not kept.
    var size = 0
    /// Whether something of the message is not kept.
    var isCut = false
    /// Whether exchanges in progress on all loops left no room for the body.
    var lacksRoom = false
    /// Whether the body has a content coding, so that secrets in it could not be found and removed.
    var isCoded = false

    init() {}

    /// Counts bytes that are not kept.
    func pass(_ count: Int) {
        size += count
        isCut = true
    }

    /// Whether the head has been written or read.
    var hasHead: Bool { !line.isEmpty }

    /// Shown in place of a secret.
    static let redacted = "•••"
}
