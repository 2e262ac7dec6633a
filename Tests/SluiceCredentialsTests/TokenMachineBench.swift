import SluiceContract

@testable import SluiceCredentials

/// A machine with a clock, and what it has ordered last.
struct TokenMachineBench {
    var machine: TokenMachine
    var moment = Moment(now: 1_000_000_000_000, unix: 1_800_000_000)
    var orders: [TokenMachine.Order] = []

    init(_ grant: OAuth2Client.Grant = .authorizationCode, _ edit: (inout OAuth2Client) -> Void = { _ in }) {
        var client = OAuth2Client()
        client.tokenURL = "https://accounts.example/token"
        client.clientID = "cli"
        client.grant = grant
        edit(&client)
        machine = TokenMachine("fruit", client, seed: 7)
    }

    @discardableResult mutating func take(_ fact: TokenMachine.Fact) -> [TokenMachine.Order] {
        orders = machine.take(fact, at: moment)
        return orders
    }

    /// The server answers the last question, or an earlier one.
    @discardableResult mutating func answer(_ answer: TokenAnswer, to number: Int? = nil) -> [TokenMachine.Order] {
        take(.answered(answer, to: number ?? machine.questions))
    }

    mutating func advance(_ seconds: Int) {
        moment.now += UInt64(seconds) * 1_000_000_000
        moment.unix += seconds
    }

    /// The tokens of a sign-in, which end in so many seconds.
    func record(_ token: String = "a1", refresh: String? = "r1", in seconds: Int? = 3600, serial: Int = 1)
        -> TokenRecord
    {
        var record = TokenRecord(family: 5, server: machine.client.serverName, clientID: "cli")
        record.serial = serial
        record.accessToken = token
        record.refreshToken = refresh
        record.obtainedAt = moment.unix
        record.expiresAt = seconds.map { moment.unix + $0 }
        return record
    }

    var alarm: UInt64? {
        orders.lazy.compactMap { if case .alarm(let time) = $0 { time } else { nil } }.first
    }

    var shown: TokenMachine.Token? {
        orders.lazy.compactMap { if case .show(let token) = $0 { token } else { nil } }.first
    }

    var noOtherUntil: UInt64? {
        orders.lazy.compactMap { if case .noOther(let time) = $0 { time } else { nil } }.first
    }

    var withheld: Problem? {
        orders.lazy.compactMap { if case .withhold(let problem) = $0 { problem } else { nil } }.first
    }

    var saved: TokenRecord? {
        orders.lazy.compactMap { if case .save(let record) = $0 { record } else { nil } }.first
    }

    var asked: TokenQuestion? {
        orders.lazy.compactMap { if case .ask(let question, _) = $0 { question } else { nil } }.first
    }

    func isAt(_ order: TokenMachine.Order) -> Bool { orders.contains(order) }
}
