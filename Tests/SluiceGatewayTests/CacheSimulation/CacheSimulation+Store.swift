import SluiceCache

@testable import SluiceGateway

/// What happens to what is stored: purges, lost memory, and tiers that are late, lie and go away.
extension CacheSimulation {
    func actOnStore(_ action: Action) {
        switch action {
        case .tier:
            let damage = random.chance(5) ? random.number(0...5000) : nil
            tiers.randomElement(using: &random)?.work(damage: damage)
        case .tierTells: tiers.randomElement(using: &random)?.tell()
        case .tierVanishes:
            guard let tier = tiers.randomElement(using: &random) else { return }
            note("the tier \(tier.place) \(tier.isResting ? "is back" : "vanishes")")
            tier.vanish(!tier.isResting, losing: tier.place == .shared && random.chance(30))
        case .forget:
            note("the memory forgets")
            forget()
        case .purge: stepPurge()
        default: preconditionFailure("no action on what is stored")
        }
    }

    private func forget() {
        var place = MemoryStore.Place()
        while benches[0].gateway.loopCache.store.walk(&place, removing: { _ in true }) {}
    }

    /// One step of the purge that is under way, or the beginning of another.
    private func stepPurge() {
        guard let current = purge else {
            let resource = random.number(0...CachedWorld.resources - 1)
            let targets = ["/raw/\(resource)", "/doc/\(resource)/a", "/doc/\(resource)/b", "/list/\(resource)"]
            let bindings = ["ANY /raw/**", "GET /doc/{id}/a", "GET /doc/{id}/b", "GET /list/{id}"]
            let selection: PurgeRequest.Selection =
                switch random.number(0...9) {
                case 0...1: .everything
                case 2...4: .binding(bindings[random.number(0...3)])
                default: .target(Array(targets[random.number(0...3)].utf8))
                }
            let request = PurgeRequest(selection, isSoft: random.chance(25))
            note("purge of \(request) begins")
            benches[0].gateway.loopCache.shared.announce([request])
            // Who asks now does not wait for what was asked for before.
            for id in 0..<CachedWorld.resources { history.touch(id) }
            purge = (request, MemoryStore.Place(), history.purgeBegan())
            return
        }
        var (place, purged) = (current.place, 0)
        let store = benches[0].gateway.loopCache.store
        if store.purge([current.request], &place, at: benches[0].gateway.now, purged: &purged) {
            purge?.place = place
            return
        }
        note("purge of \(current.request) ends")
        if !current.request.isSoft { history.purged(current.request, since: current.serial) }
        purge = nil
    }

    /// Everybody gets an answer in the end: also from the tiers.
    func finishStores() {
        while purge != nil { stepPurge() }
        for tier in tiers where tier.isResting { tier.vanish(false, losing: false) }
        finishTiers()
    }

    func finishTiers() {
        while let busy = tiers.first(where: { !$0.isIdle }) {
            busy.work(damage: nil)
            busy.tell()
        }
    }
}
