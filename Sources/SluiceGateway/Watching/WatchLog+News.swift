internal import SluiceContract

extension WatchLog {
    /// Takes in the news of a poll, as events.
    /// - Parameter envelope: writes a problem as error answers have it.
    mutating func take(_ news: PollMachine.News, _ plan: WatchPlan, envelope: (Problem) -> [UInt8]) {
        switch news {
        case .loading: tell(plan.tells(.loading) ? WatchEvent(.init("loading", data: Self.nothing)) : nil)
        case .changed(let value, let patch):
            let id = nextID
            let whole = WatchEvent(.init("data", id: id, data: value))
            guard let patch else { return add(whole, whole: whole) }
            let name: StaticString = plan.policy.send == .jsonPatch ? "json-patch" : "merge-patch"
            add(WatchEvent(.init(name, id: id, data: patch)), whole: whole)
        case .notModified:
            tell(plan.tells(.notModified) ? WatchEvent(.init("not-modified", data: Self.nothing)) : nil)
        // The end of a problem is told in any case, even where `not-modified` events are switched off.
        case .recovered: tell(WatchEvent(.init("not-modified", data: Self.nothing)))
        case .stale(let seconds): tell(plan.tells(.stale) ? WatchEvent(Self.stale(seconds)) : nil)
        case .problem(let problem, let staleSeconds):
            let said = plan.tells(.problem) ? WatchEvent.Part("problem", data: Self.trimmed(envelope(problem))) : nil
            let stale = plan.tells(.stale) ? staleSeconds.map(Self.stale) : nil
            switch (stale, said) {
            case (let stale?, let said?): tell(WatchEvent(stale, said))
            case (let one?, nil), (nil, let one?): tell(WatchEvent(one))
            case (nil, nil): tell(nil)
            }
        }
    }

    private static let nothing = Array("{}".utf8)

    private static func stale(_ seconds: Int) -> WatchEvent.Part {
        WatchEvent.Part("stale", data: Array("{\"age\":\(seconds)}".utf8))
    }

    /// Without the line end, which would be a line of its own.
    private static func trimmed(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        while let last = bytes.last, last == 0x0A || last == 0x0D { bytes.removeLast() }
        return bytes
    }
}
