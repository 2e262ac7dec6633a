internal import SluiceCredentials
internal import SluiceGateway
internal import SluiceJSON

/// The drift findings in a file of the state folder.
struct DriftFile {
    /// The state folder, which is made where it is missing.
    let folder: String
    var path: String { folder + "/drift.json" }

    /// The most findings that are kept: the latest ones.
    static let recordsMax = 2000
    private static let bytesMax = 8 << 20
    private static let version = 1
    private static let disk = SystemDisk()

    private struct Content: Decodable {
        var version: Int
        var findings: [Entry]
    }

    private struct Entry: Decodable {
        var binding: String
        var path: String
        var kind: String
        var declared: String
        var found: [String]
        var example: String?
        var cases: [String]
        var count: Int
        var answers: Int
        var checked: Int
        var firstAt: Int
        var lastAt: Int
    }

    /// - Returns: nothing where there is no file.
    /// - Throws: ``DriftFileFailure`` where the file cannot be read; it is overwritten later.
    func read() throws(DriftFileFailure) -> [DriftRecord] {
        let file: StateFile?
        do throws(StateFault) {
            file = try Self.disk.read(path, atMost: Self.bytesMax)
        } catch {
            throw DriftFileFailure(description: "\(error)")
        }
        guard let file else { return [] }
        guard let content = try? JSONReading.value(Content.self, of: file.bytes, isSnakeCase: true),
            content.version == Self.version
        else { throw DriftFileFailure(description: "'\(path)' is damaged") }
        return content.findings.prefix(Self.recordsMax).map { entry in
            var record = DriftRecord(
                binding: entry.binding, path: entry.path, kind: entry.kind, declared: entry.declared)
            (record.found, record.example, record.cases) = (entry.found, entry.example, entry.cases)
            (record.count, record.answers, record.checked) = (entry.count, entry.answers, entry.checked)
            (record.firstAt, record.lastAt) = (entry.firstAt, entry.lastAt)
            return record
        }
    }

    /// Replaces the file at once: readers find the old one or the new one, whole.
    func write(_ records: [DriftRecord]) throws(DriftFileFailure) {
        let last = records.sorted { $0.lastAt > $1.lastAt }.prefix(Self.recordsMax)
        let content = JSONValue.object([
            ("version", .number(Self.version)), ("findings", .array(last.map(Self.json))),
        ])
        do throws(StateFault) {
            try Self.disk.prepare(folder)
            try Self.disk.write(Array((content.text + "\n").utf8), to: path + ".new", in: folder)
            try Self.disk.rename(path + ".new", to: path)
        } catch {
            throw DriftFileFailure(description: "\(error)")
        }
    }

    private static func json(_ record: DriftRecord) -> JSONValue {
        .object([
            ("binding", .string(record.binding)), ("path", .string(record.path)), ("kind", .string(record.kind)),
            ("declared", .string(record.declared)), ("found", .array(record.found.map { .string($0) })),
            ("example", record.example.map { .string($0) } ?? .null),
            ("cases", .array(record.cases.map { .string($0) })), ("count", .number(record.count)),
            ("answers", .number(record.answers)), ("checked", .number(record.checked)),
            ("first_at", .number(record.firstAt)), ("last_at", .number(record.lastAt)),
        ])
    }
}

/// Why findings cannot be stored or read.
struct DriftFileFailure: Error, CustomStringConvertible {
    var description: String
}
