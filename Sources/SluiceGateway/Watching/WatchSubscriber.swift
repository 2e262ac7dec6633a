internal import SluiceCache

extension LoopAddress {
    /// Posts what the loop's watching is to do.
    func postToWatching(_ act: @escaping @Sendable (Watching) -> Void) {
        post { loopCache in
            if let watching = loopCache.watching as? Watching { act(watching) }
        }
    }
}

/// Another loop on which a value is watched that this one asks for. It is found by its number, so that a message that
/// comes late is for nobody.
struct WatchSubscriber: Sendable {
    let loop: LoopAddress
    let key: CacheKey
    let serial: UInt64

    /// What it has to hear.
    func tell(_ act: @escaping @Sendable (Watched) -> Void) {
        loop.postToWatching({ [key, serial] watching in
            if let watched = watching.all[key], watched.serial == serial { act(watched) }
        })
    }

    /// The latest of what is told. A loop that is stuck does not get on with it: once it turns again, it hears that
    /// nobody asks for it, and subscribes anew.
    /// - Returns: whether it is going to hear of it.
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
