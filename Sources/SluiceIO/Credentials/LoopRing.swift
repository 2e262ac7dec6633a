internal import SluiceGateway
internal import Synchronization

/// Access to the loops for the runners of credentials: their requests go to the loops in turn.
final class LoopRing: Sendable {
    private struct State {
        var mailboxes: [Mailbox] = []
        var next = 0
    }

    private let state = Mutex(State())

    func set(_ mailboxes: [Mailbox]) { state.withLock { $0.mailboxes = mailboxes } }

    var surroundings: CredentialTools.Surroundings {
        CredentialTools.Surroundings(
            send: { [self] request, done in
                let mailbox = state.withLock { state -> Mailbox? in
                    guard !state.mailboxes.isEmpty else { return nil }
                    state.next = (state.next + 1) % state.mailboxes.count
                    return state.mailboxes[state.next]
                }
                mailbox?.post { loop in loop.gateway.send(request) { done($0) } }
            },
            announce: { [self] in
                for mailbox in state.withLock({ $0.mailboxes }) { mailbox.post { $0.gateway.credentialsChanged() } }
            })
    }
}
