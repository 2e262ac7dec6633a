internal import SluiceContract

/// How fast an answer arrives that is too long to be stored: as fast as the slowest of its readers takes it, on this
/// loop and on those that follow it.
extension CacheFill {
    /// A follower tells its leader what its readers have taken in steps of this many bytes.
    private static let toldBytes = 16 << 10

    /// Whether the slowest reader is not too far behind; what is stored is kept anyway.
    var hasRoom: Bool { draft.isStorable || draft.count - slowest <= loop.limits.bufferedBytes }

    private var slowest: Int { min(readers.slowest(of: draft.count), subscribers.slowest(of: draft.count)) }

    /// Resumes a fetch that was paused for slow readers, once they have room again.
    func relieve() {
        guard case .upstream(.paused) = source, hasRoom else { return }
        source = .upstream(.answering)
        fetch?.resume()
    }

    /// Bytes that the slowest reader has yet to take; nil while the fetch is not paused for it.
    var bytesBehind: Int? {
        guard case .upstream(.paused) = source else { return nil }
        let own = readers.walks.filter(\.hasHead).min { $0.position < $1.position }
        let others = subscribers.slowest(of: draft.count)
        guard let own, own.position <= others else { return draft.count - others }
        return draft.count - own.position + (own.reader.unsentBytes ?? 0)
    }

    // MARK: - Slow readers

    /// Drops readers that have held up the others for too long.
    /// - Returns: false where no reader is behind, or none is ahead.
    func cutLaggards() -> Bool {
        guard case .upstream(.paused) = source else { return false }
        let line = draft.count - loop.limits.bufferedBytes / 2
        let isAhead = readers.walks.contains { $0.hasHead && $0.position >= line }
        guard isAhead || subscribers.fastest >= line else { return false }
        let isAnyBehind = subscribers.tell(behind: line) { $0.cutOnLoop(behind: line) }
        return cut(behind: line) || isAnyBehind
    }

    private func cut(behind line: Int) -> Bool {
        let laggards = readers.take { $0.hasHead && $0.position < line }
        for walk in laggards {
            walk.fill = nil
            walk.reader.fail(
                Problem(.clientTooSlow, detail: "The client held up others that read the same answer."))
        }
        relieve()
        return !laggards.isEmpty
    }

    /// The leader has a follower drop its slow readers.
    private func cutOnLoop(behind line: Int) {
        guard cut(behind: line) else { return }
        if readers.isEmpty {
            unsubscribe()
            end()
        } else {
            tellTaken()
        }
    }

    // MARK: - Between loops

    /// Tells the leader how much this loop's readers have taken, so that it can resume its fetch.
    func tellTaken() {
        guard source.isLeader, !draft.isStorable else { return }
        let taken = readers.slowest(of: draft.count)
        guard taken - toldTaken >= Self.toldBytes || taken == draft.count && taken > toldTaken else { return }
        toldTaken = taken
        tellLeader { $0.noteTaken(taken, by: $1) }
    }

    private func noteTaken(_ taken: Int, by subscriber: FillSubscribers.Subscriber) {
        subscribers.note(taken, by: subscriber)
        relieve()
    }
}
