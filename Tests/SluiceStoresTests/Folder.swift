import Foundation
import SluiceCache
import SluiceContract
import Synchronization

@testable import SluiceStores

/// A folder that goes with the object, what is warned of, and a clock.
final class Folder: Sendable {
    let path: String
    let warnings = Mutex<[String]>([])
    let clock = Mutex(1_000_000)

    init() throws {
        var template = Array("/tmp/sluice-stores-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw StoreFailure("mkdtemp") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var warned: [String] { warnings.withLock { $0 } }
    var disk: String { path + "/disk" }

    func tier(budget: Int = 64 << 20, secret: (UInt64, UInt64)? = nil) throws -> DiskTier {
        try DiskTier(
            disk, secret: secret, budget: budget, readTimeout: .seconds(60), clock: { self.clock.withLock { $0 } },
            warn: { text in self.warnings.withLock { $0.append(text) } })
    }

    func contents(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: disk + "/" + name)))
    }

    func write(_ bytes: [UInt8], _ name: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: disk + "/" + name))
    }

    func mode(_ name: String) -> Int {
        var status = stat()
        return stat(name.isEmpty ? disk : disk + "/" + name, &status) == 0 ? Int(status.st_mode & 0o777) : -1
    }
}

extension DiskTier {
    /// Waits for the answer, and for what is to be written before.
    func ask(_ keys: [CacheKey], unixSeconds: Int = 1_000_000) -> StoredResponse? {
        writes.sync {}
        let answer = Mutex<StoredResponse?>(nil)
        let done = DispatchSemaphore(value: 0)
        find(TierQuery(keys, now: 5_000_000_000, unixSeconds: unixSeconds)) { entry in
            answer.withLock { $0 = entry }
            done.signal()
        }
        done.wait()
        return answer.withLock { $0 }
    }

    func has(_ number: UInt64) -> Bool { ask([Sample.key(number)]) != nil }
}

/// Entries to be stored.
enum Sample {
    static func key(_ number: UInt64) -> CacheKey { CacheKey(high: ~number, low: number) }

    static func entry(
        _ number: UInt64, bytes: Int = 1000, binding: String = "GET /a", tags: [String] = [], lifetime: Int = 600,
        dependencies: [Epochs.Dependency] = []
    ) -> StoredResponse {
        var policy = CachePolicy()
        policy.fresh = .seconds(lifetime)
        let freshness = Freshness(CacheFacts(status: 200, .init(), now: 0), policy)
        var head = StoredHead(status: 200, freshness: freshness, initialAge: 0, responseTime: 1)
        head.dependencies = dependencies
        head.label = EntryLabel(.init(binding: binding, tags: tags), target: Array("/a/\(number)".utf8))
        return StoredResponse.make(head, key: key(number), bodyCount: bytes) { put in
            Array(repeating: UInt8(truncatingIfNeeded: number), count: bytes).withUnsafeBytes(put)
        }
    }
}
