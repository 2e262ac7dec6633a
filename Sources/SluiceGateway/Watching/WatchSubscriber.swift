internal import SluiceCache

extension LoopAddress {
    /// Posts what the loop's watching is to do.
    func postToWatching(_ act: @escaping @Sendable (Watching) -> Void) {
        post { loopCache in
            if let watching = loopCache.watching as? Watching { act(watching) }
        }
    }
}

/// Another loop that watches a value which this loop polls. It is found by its number: a message that arrives too late
/// is dropped.
struct WatchSubscriber: Sendable {
    let loop: LoopAddress
    let key: CacheKey
    let serial: UInt64

    /// Posts a message that it has to get.
    func tell(_ act: @escaping @Sendable (Watched) -> Void) {
        loop.postToWatching({ [key, serial] watching in
            if let watched = watching.all[key], watched.serial == serial { act(watched) }
        })
    }

    /// Posts the latest log. A stuck loop refuses it; once it turns again, it is told that its home is lost, and
    /// subscribes anew.
    /// - Returns: whether the message was taken.
    func offer(_ log: WatchLog) -> Bool {
        let isTaken = loop.offer { [key, serial] loopCache in
            guard let watching = loopCache.watching as? Watching, let watched = watching.all[key],
                watched.serial == serial
            else { return }
            watched.took(log)
        }
        if !isTaken { tell { $0.lostHome() } }
        return isTaken
    }

    func isSame(as other: WatchSubscriber) -> Bool { serial == other.serial && loop === other.loop }
}
