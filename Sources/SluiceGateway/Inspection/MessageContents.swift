/// One message of an exchange, as far as it is kept.
final class MessageContents {
    /// Request line or status line.
    var line = ""
    var fields: [(name: String, value: String)] = []
    var body: [UInt8] = []
    /// Bytes of the whole body, as far as it has come.
    var size = 0
    /// Something of it is not kept.
    var isCut = false
    /// What is under way on all loops leaves no room for it.
    var lacksRoom = false
    /// Its body is in a content coding: what is in it cannot be seen, and secrets could not be taken out.
    var isCoded = false

    init() {}

    /// Bytes that are not kept.
    func pass(_ count: Int) {
        size += count
        isCut = true
    }

    /// There is one: its head has been written or read.
    var hasHead: Bool { !line.isEmpty }

    /// How a secret looks.
    static let redacted = "•••"
}
