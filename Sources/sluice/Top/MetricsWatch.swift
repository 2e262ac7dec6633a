internal import SluiceConsole
internal import SluiceIO
internal import SluiceSockets
internal import Synchronization
internal import Glibc

/// Asks a daemon for its metrics repeatedly, on a thread of its own: a daemon that does not answer must not delay key
/// presses.
final class MetricsWatch: Sendable {
    /// The latest metrics, or why there are none.
    typealias Outcome = Result<FigureSnapshot, StreamSocket.Failure>

    /// Readable once there is an outcome.
    let descriptor: Int32
    private let teller: Int32
    private let client: AdminClient
    private let interval: Duration
    private let latest = Mutex<Outcome?>(nil)

    init(_ client: AdminClient, every interval: Duration) {
        (descriptor, teller) = Pipe.make()
        self.client = client
        self.interval = interval
    }

    func start() {
        ServiceThread.run("sluice-metrics") { [self] in
            while true {
                ServiceThread.sleep(interval)
                let outcome = Self.look(client)
                let isWaited = latest.withLock { latest in
                    defer { latest = outcome }
                    return latest == nil
                }
                // One byte for each outcome that is taken: the pipe never fills.
                var byte: UInt8 = 0
                if isWaited { _ = write(teller, &byte, 1) }
            }
        }
    }

    func take() -> Outcome? {
        var byte: UInt8 = 0
        _ = read(descriptor, &byte, 1)
        return latest.withLock { latest in
            defer { latest = nil }
            return latest
        }
    }

    static func look(_ client: AdminClient) -> Outcome {
        do throws(StreamSocket.Failure) {
            let (answer, body) = try client.send("/metrics", by: "GET")
            guard answer.status == 200 else { return .failure(.init(description: AdminClient.words(of: body))) }
            let time = Double(MonotonicClock.now()) / 1e9
            var now = timespec()
            clock_gettime(CLOCK_REALTIME, &now)
            return .success(
                FigureSnapshot(
                    String(decoding: body, as: UTF8.self), at: time,
                    unixTime: Double(now.tv_sec) + Double(now.tv_nsec) / 1e9))
        } catch {
            return .failure(error)
        }
    }
}
