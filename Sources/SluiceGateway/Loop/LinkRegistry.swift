/// The clients' connections of one loop: keeps each alive while its owner has a transport for it.
final class LinkRegistry {
    private var links: [Link?] = []
    private var freeSlots: [Int32] = []

    /// A copy, because a link may leave during a walk over all of them.
    var all: [Link] { links.compactMap { $0 } }

    func add(_ link: Link) {
        let slot = freeSlots.popLast() ?? Int32(links.count)
        if slot == links.count { links.append(link) } else { links[Int(slot)] = link }
        link.slot = slot
    }

    /// Another link takes over a connection.
    func replace(_ link: Link, by successor: Link) {
        guard link.slot >= 0 else { return }
        links[Int(link.slot)] = successor
        successor.slot = link.slot
        link.slot = -1
    }

    func forget(_ link: Link) {
        guard link.slot >= 0 else { return }
        links[Int(link.slot)] = nil
        freeSlots.append(link.slot)
        link.slot = -1
        link.loop.counters.connections -= 1
    }

    func removeAll() { links = [] }
}
