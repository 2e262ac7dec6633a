import Logging
import SluiceContract
import SluiceSockets
import Synchronization

@testable import SluiceGateway
@testable import SluiceIO

/// A loop that turns on the thread of the test, and comes to an end in any case.
final class LoopBench {
    let gateway: Gateway
    let loop: EventLoop
    let said = Said()

    private final class Question {
        let isDone: () -> Bool
        var isAnswered = false

        init(_ isDone: @escaping () -> Bool) { self.isDone = isDone }
    }

    init(resolver: Resolver = Resolver()) throws {
        let configuration = Configuration()
        let said = said
        let shortages = Shortages(
            configuration.limits, descriptorsMax: 1024, Logger(label: "test") { _ in said })
        gateway = Gateway(table: try RouteTable(configuration), vaults: [:], now: MonotonicClock.now())
        loop = EventLoop(
            gateway: gateway, mailbox: Mailbox(), dialing: DialingServices(resolver: resolver), shortages: shortages)
    }

    /// Turns until `isDone`, which is asked every millisecond and may command the loop. To be called once: the end
    /// closes
    /// what the loop has.
    /// - Returns: whether it came to that, within ten seconds.
    func turn(until isDone: @escaping () -> Bool) -> Bool {
        let question = LoopConfined(Question(isDone))
        let mailbox = loop.mailbox
        let flag = Flag()
        // A thread of its own, and a pause between two questions: loops that always had something to do would keep
        // every thread that the resolver may have.
        ServiceThread.run("test-ask") {
            for _ in 0..<10_000 where !flag.isSet {
                mailbox.post { Self.ask(question.value, $0) }
                ServiceThread.sleep(.milliseconds(1))
            }
            mailbox.post { $0.stop() }
        }
        loop.run()
        flag.set()
        return question.value.isAnswered
    }

    private static func ask(_ question: Question, _ loop: EventLoop) {
        if question.isAnswered || !question.isDone() { return }
        question.isAnswered = true
        loop.stop()
    }

    private final class Flag: Sendable {
        private let value = Mutex(false)
        var isSet: Bool { value.withLock { $0 } }
        func set() { value.withLock { $0 = true } }
    }
}
