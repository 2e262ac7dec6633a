import Glibc
import SluiceCache
import SluiceContract
import SluiceHTTP

// How much memory a stored answer takes, and how long the longest step of the store is with a million of them.
//
//     swift run -c release --package-path Benchmarks/cache cache-bench [ENTRIES]

let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 1_000_000

/// CPU time of this thread, nanoseconds: what others do on the machine is not in it, page faults are.
func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

func residentBytes() -> Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    fgets(&line, 128, file)
    let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * Int(getpagesize())
}

/// The longest of many steps, and the mean.
struct Steps {
    var longest: UInt64 = 0
    var total: UInt64 = 0
    var count = 0

    mutating func time<Result>(_ step: () -> Result) -> Result {
        let start = now()
        let result = step()
        let took = now() - start
        longest = max(longest, took)
        total += took
        count += 1
        return result
    }

    func tell(_ name: String) {
        let mean = Double(total) / Double(max(1, count)) / 1000
        print("\(name): \(count) steps, longest \(longest / 1000) µs, mean \((mean * 100).rounded() / 100) µs")
    }
}

/// As nginx sends it: what `compare` stores in `hit-1k`.
let fields: [(String, String)] = [
    ("Server", "nginx/1.22.1"), ("Date", "Sat, 21 Nov 2026 12:00:00 GMT"), ("Content-Type", "text/plain"),
    ("Cache-Control", "max-age=86400"),
]
let sources = (0..<10).map { EntryLabel.Source(binding: "GET /things/\($0)", tags: $0 < 5 ? ["low"] : ["high"]) }
let epochs = Epochs()
let body = [UInt8](repeating: 0x61, count: 1024)
let policy = {
    var policy = CachePolicy()
    policy.fresh = .seconds(86_400)
    return policy
}()

func key(_ number: Int) -> CacheKey {
    var hash = SipHash(1, 2)
    hash.combine(UInt64(number))
    return CacheKey(hash)
}

func entry(_ number: Int) -> StoredResponse {
    let facts = CacheFacts(status: 200, HeaderBlock(), now: 0)
    var head = StoredHead(status: 200, freshness: Freshness(facts, policy), initialAge: 0, responseTime: 1)
    for (name, value) in fields {
        Array(name.utf8).withUnsafeBytes { name in
            Array(value.utf8).withUnsafeBytes { head.append(name: name, value: $0) }
        }
    }
    head.dependencies = [epochs.dependency(on: UInt64(number))]
    head.label = EntryLabel(sources[number % 10], target: Array("/hit/\(number)".utf8))
    return StoredResponse.make(head, key: key(number), bodyCount: body.count) { put in body.withUnsafeBytes(put) }
}

var settings = CacheSettings()
settings.memoryBytes = count * 1500
let store = MemoryStore(settings, epochs: epochs)
_ = entry(0)

let before = residentBytes()
var inserts = Steps()
for number in 0..<count {
    let new = entry(number)
    inserts.time { store.insert(new, since: store.purges.number) }
}
let usage = store.usage
print("\(usage.entries) entries: \((residentBytes() - before) / usage.entries) bytes each, counted as", terminator: " ")
print("\(usage.bytes / usage.entries), of which head and body are \(1024 + entry(0).lines.count)")
inserts.tell("insert")

func purge(_ name: String, _ request: PurgeRequest) {
    store.announce(request)
    var (place, purged, steps) = (MemoryStore.Place(), 0, Steps())
    while steps.time({ store.purge([request], &place, at: 2, purged: &purged) }) {}
    steps.tell("purge \(name), \(purged) answers")
}
purge("of a binding, soft", PurgeRequest(.binding("GET /things/1"), isSoft: true))
purge("of a binding", PurgeRequest(.binding("GET /things/3")))
purge("of a tag", PurgeRequest(.tag("low")))
purge("of a target", PurgeRequest(.target(Array("/hit/7".utf8))))
purge("of a key", PurgeRequest(.key(key(8))))
purge("of everything", PurgeRequest(.everything))
print("after that: \((residentBytes() - before) / 1024) KiB of \(store.usage.entries) entries")

settings.memoryBytes = count * 500
let small = MemoryStore(settings, epochs: epochs)
var evictions = Steps()
for number in 0..<count {
    let new = entry(number)
    evictions.time { small.insert(new) }
}
evictions.tell("insert in the place of others (\(small.usage.evictions) went)")
