/// Several things that load, and what a view shows of them together.
public struct LoadableGroup: Sendable {
    /// What is shown together.
    public let members: [any Loadable]
    /// How it is decided what is shown, the first rule that fits.
    public let rules: [DisplayRule]

    /// Things that load, which a view shows together.
    public init(_ members: any Loadable..., rules: [DisplayRule] = .standard) {
        self.members = members
        self.rules = rules
    }

    /// What to show now.
    public var display: Display {
        Display.of(members.map { $0.state as any LoadableState }, rules: rules)
    }

    /// What to show from now on, the present first; all members load as needed while a caller iterates.
    public var displays: AsyncStream<Display> {
        AsyncStream.fed { [self] yield in
            let (changes, change) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            async let followers: Void = followAll(change)
            // One looks after each change, so that what was seen last is told last.
            for await _ in changes { yield(display) }
            await followers
        }
    }

    /// Loads again what has failed.
    public func retry() {
        for member in members where member.isReloadable && member.state.latestError != nil { member.load() }
    }

    private func followAll(_ change: AsyncStream<Void>.Continuation) async {
        await withTaskGroup { group in
            for member in members {
                group.addTask { await follow(member, change) }
            }
        }
        change.finish()
    }

    private func follow(_ member: some Loadable, _ change: AsyncStream<Void>.Continuation) async {
        for await _ in member.states { change.yield() }
    }

    /// The contents of several things that load, once all of them have some.
    public static func contents<each Member: Loadable>(
        of members: repeat each Member
    ) -> (repeat (each Member).Content)? {
        try? (repeat content(of: each members))
    }

    private struct Missing: Error {}

    private static func content<Member: Loadable>(of member: Member) throws -> Member.Content {
        guard let content = member.state.content else { throw Missing() }
        return content
    }
}
