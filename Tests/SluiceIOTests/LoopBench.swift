import Dispatch
import Logging
import SluiceContract

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

    /// Turns until `isDone`, which is asked in every turn and may command the loop. To be called once: the end closes
    /// what the loop has.
    /// - Returns: whether it came to that, within ten seconds.
    func turn(until isDone: @escaping () -> Bool) -> Bool {
        let question = Question(isDone)
        let mailbox = loop.mailbox
        Self.ask(LoopConfined(question), mailbox)
        let watchdog = DispatchWorkItem { mailbox.post { $0.stop() } }
        DispatchQueue.global().asyncAfter(deadline: .now() + 10, execute: watchdog)
        loop.run()
        watchdog.cancel()
        return question.isAnswered
    }

    private static func ask(_ question: LoopConfined<Question>, _ mailbox: Mailbox) {
        mailbox.post { loop in
            if question.value.isDone() {
                question.value.isAnswered = true
                loop.stop()
            } else {
                ask(question, mailbox)
            }
        }
    }
}
