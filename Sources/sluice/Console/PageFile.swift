internal import CConsolePage

/// A file of the console's page; all of them are in the binary.
struct PageFile: Sendable {
    var type: String
    private let start: UInt
    private let count: Int

    /// By name.
    static let all: [String: PageFile] = Dictionary(
        uniqueKeysWithValues: (0..<cconsole_file_count()).map { index in
            let file = cconsole_file_at(index)
            return (
                String(cString: file.name),
                PageFile(type: String(cString: file.type), start: UInt(bitPattern: file.bytes), count: file.count)
            )
        })

    /// For as long as the process lives.
    var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: start), count: count)
    }
}
