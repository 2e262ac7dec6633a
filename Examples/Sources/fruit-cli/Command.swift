import SluiceClient

/// What the command line asks for.
enum Command {
    case list(limit: Int?, colors: [String])
    case show(Int)
    case add(Fruit)
    case remove(Int)
    case signIn(Account)

    static let usage = """
        usage: fruit-cli list [LIMIT [COLOR…]]
               fruit-cli show ID
               fruit-cli add NAME SIZE COLOR
               fruit-cli remove ID
               fruit-cli sign-in EMAIL PASSWORD

        SLUICE_URL says where the gateway is (http://127.0.0.1:8080); it serves config/demo.yaml.
        """

    /// - Returns: nil where the words make no command.
    init?(_ words: ArraySlice<String>) {
        let words = Array(words)
        switch (words.first, words.count) {
        case ("list", 1): self = .list(limit: nil, colors: [])
        case ("list", _):
            guard let limit = Int(words[1]) else { return nil }
            self = .list(limit: limit, colors: Array(words.dropFirst(2)))
        case ("show", 2):
            guard let id = Int(words[1]) else { return nil }
            self = .show(id)
        case ("add", 4):
            guard let size = Int(words[2]) else { return nil }
            self = .add(Fruit(name: words[1], size: size, color: words[3]))
        case ("remove", 2):
            guard let id = Int(words[1]) else { return nil }
            self = .remove(id)
        case ("sign-in", 3): self = .signIn(Account(email: words[1], password: words[2]))
        default: return nil
        }
    }

    /// Does it, and returns the lines to print.
    func run(_ stand: FruitStand) async throws(CallError) -> [String] {
        switch self {
        case .list(let limit, let colors):
            var query = stand.$fruits
            if let limit { query = query ++ ["limit": limit] }
            if !colors.isEmpty { query = query ++ ["colors": colors] }
            return try await query.get().map(\.line)
        case .show(let id):
            let answer = try await GatewayClient.current().send(ShowFruit(id: id))
            if let problem = answer.problem { throw .problem(problem) }
            return [answer.fruit?.line ?? "status \(answer.status)"]
        case .add(let fruit):
            return [try await stand.$newFruit.post(fruit).line]
        case .remove(let id):
            let status = try await GatewayClient.current().send(RemoveFruit(id: id))
            return ["removed \(id) (\(status))"]
        case .signIn(let account):
            // The token of the answer stays in the gateway; nothing of it comes here.
            try await stand.$account <- account
            return ["signed in as \(stand.account.email)"]
        }
    }
}

extension Fruit {
    var line: String { "\(id.map { "\($0)" } ?? "-")\t\(name)\t\(size)\t\(color)" }
}
