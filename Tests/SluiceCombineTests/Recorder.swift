import OpenCombine
import Synchronization

/// A subscriber that keeps what it is told, and says when that was all.
final class Recorder<Element: Sendable, Failure: Error>: Sendable {
    private struct Heard {
        var elements: [Element] = []
        var completion: Subscribers.Completion<Failure>?
    }

    private let heard = Mutex(Heard())
    private let end = Gate()
    private let subscription = Mutex<Held?>(nil)

    private struct Held: @unchecked Sendable {
        let cancellable: AnyCancellable
    }

    init() {}

    init<P: Publisher>(_ publisher: P) where P.Output == Element, P.Failure == Failure {
        let held = Held(
            cancellable: publisher.sink(
                receiveCompletion: { [weak self] in self?.receive($0) },
                receiveValue: { [weak self] in self?.receive($0) }))
        subscription.withLock { $0 = held }
    }

    func receive(_ element: Element) {
        heard.withLock { $0.elements.append(element) }
    }

    func receive(_ completion: Subscribers.Completion<Failure>) {
        heard.withLock { $0.completion = completion }
        end.open()
    }

    var elements: [Element] { heard.withLock { $0.elements } }

    var isFinished: Bool { heard.withLock { $0.completion != nil } }

    var failure: Failure? {
        if case .failure(let error) = heard.withLock({ $0.completion }) { error } else { nil }
    }

    /// Everything, once it has ended.
    func all() async -> [Element] {
        await end.pass()
        return elements
    }

    func cancel() {
        subscription.withLock { $0 }?.cancellable.cancel()
    }
}
