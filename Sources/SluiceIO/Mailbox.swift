internal import CLinux
internal import Synchronization
#if canImport(Glibc)
    internal import Glibc
#else
    internal import Musl
#endif

/// How the rest of the process speaks to a loop: a queue of things to do there, and an eventfd that wakes it.
///
/// Bounded: names resolve, files change and operators command far more slowly than a loop turns, so a queue this long
/// means that the loop is stuck; the sender hears of it.
final class Mailbox: Sendable {
    typealias Letter = @Sendable (EventLoop) -> Void

    static let lettersMax = 65_536
    let descriptor: Int32
    private let letters = Mutex<[Letter]>([])

    init() {
        descriptor = clinux_eventfd()
        precondition(descriptor >= 0, "eventfd: \(SystemCall.reason(errno))")
    }

    deinit { close(descriptor) }

    /// - Returns: whether there was room.
    @discardableResult
    func post(_ letter: @escaping Letter) -> Bool {
        let accepted = letters.withLock { letters in
            guard letters.count < Self.lettersMax else { return false }
            letters.append(letter)
            return true
        }
        var one: UInt64 = 1
        write(descriptor, &one, 8)
        return accepted
    }

    /// Everything that has arrived; called on the loop.
    func collect() -> [Letter] {
        var count: UInt64 = 0
        read(descriptor, &count, 8)
        return letters.withLock { letters in
            defer { letters = [] }
            return letters
        }
    }
}
