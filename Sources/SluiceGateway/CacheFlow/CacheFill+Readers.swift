internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// Who waits for the answer, and what becomes of it when nobody does any more.
extension CacheFill {
    /// Whether somebody who comes now can have the answer.
    var takesReaders: Bool { isCurrent && (state == .waiting || state != .ended && storability == .store) }

    /// Whether nothing has changed that its request did not see: what comes is as good as what one would ask for now.
    private var isCurrent: Bool { resource.map { loopCache.store.epochs.isCurrent($0) } ?? true }

    /// A purge has come since it began that means what it will bring: who comes now is to ask anew.
    var isOutdated: Bool {
        loopCache.store.purges.judge(since: purgeNumber) { purge in
            let target = isAsking ? request.head.target : readers.first?.reader.request.head.target
            switch purge.selection {
            case .target where target == nil: return true
            // Its groups are known with its head.
            case .group where head == nil: return true
            default: break
            }
            return purge.selects(
                key, head?.label ?? EntryLabel(cache.source, target: target.map { Array($0) } ?? []))
        } == .gone
    }

    func join(_ walk: CacheWalk) {
        walk.fill = self
        if state == .waiting, readers.isEmpty, !isAsking { isBackground = false }
        readers.append(walk)
        if state == .answering { sendHead(to: walk) }
    }

    /// A reader's client has left. Without any, nobody waits for the answer: it is given up.
    func leave(_ walk: CacheWalk) {
        readers.removeAll { $0 === walk }
        if isFollowing, readers.isEmpty {
            unsubscribe()
            end()
        } else {
            giveUpIfUnread()
            relieve()
        }
    }

    /// A reader has all that it wants; the answer is worth storing all the same.
    func satisfied(_ walk: CacheWalk) {
        readers.removeAll { $0 === walk }
        isBackground = true
    }

    func giveUpIfUnread() {
        if let lead { return lead.giveUpIfUnread() }
        guard !siblings.contains(where: { $0.fill.isAwaited }) else { return }
        guard readers.isEmpty, subscribers.isEmpty, !isBackground, state != .ended, isAsking else { return }
        state = .ended
        storability = .refuse(.incomplete)
        detach()
        loopCache.abandon(self)
    }

    /// Ends the fetch that nobody waits for.
    func endUnread() {
        if isAsking { end() }
    }
}
