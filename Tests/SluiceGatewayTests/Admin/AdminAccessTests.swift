import Testing

@testable import SluiceGateway

@Suite struct AdminAccessTests {
    static let rows: [(PeerCredentials?, Bool)] = [
        (PeerCredentials(user: 1000, group: 5), true), (PeerCredentials(user: 0, group: 5), true),
        (PeerCredentials(user: 1001, group: 1000), false), (PeerCredentials(user: 1001, group: 0, groups: [0]), false),
        (nil, false),
    ]

    /// The user that the gateway runs as, and root; no group.
    @Test(arguments: rows)
    func admits(_ credentials: PeerCredentials?, _ isAdmitted: Bool) throws {
        #expect(AdminAccess(owner: 1000).admits(credentials) == isAdmitted)
        let answer = try AdminBench().ask("/cache", as: credentials)
        #expect(answer.status == (isAdmitted ? 200 : 403))
    }
}
