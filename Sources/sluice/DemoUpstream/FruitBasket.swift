internal import Synchronization

/// The fruits and the tokens given out, in memory.
final class FruitBasket: Sendable {
    /// More fruits than these are refused, and more tokens make the oldest invalid.
    static let fruitsMax = 1000
    private static let tokensMax = 1000

    private struct State {
        var fruits: [(id: Int, fruit: Fruit)] = []
        var lastID = 0
        var tokens = ["demo-token"]
    }

    private let state: Mutex<State>

    init() {
        let colors = Fruit.Color.allCases
        let names = [
            "apple", "lime", "banana", "cherry", "kiwi", "lemon", "strawberry", "pear", "quince", "raspberry", "grape",
            "mango",
        ]
        var state = State()
        for (index, name) in names.enumerated() {
            state.lastID += 1
            var fruit = Fruit(name: name, size: 3 + index * 5 % 11, color: colors[index % 3], ripe: index % 4 != 3)
            // Some were not picked yet, and of some nobody knows whether they are ripe.
            if index % 3 != 2 { fruit.picked = "2026-09-\(10 + index)T08:30:00Z" }
            if index % 5 == 4 { fruit.ripe = nil }
            state.fruits.append((state.lastID, fruit))
        }
        self.state = Mutex(state)
    }

    var all: [(id: Int, fruit: Fruit)] { state.withLock { $0.fruits } }

    func fruit(_ id: Int) -> Fruit? {
        state.withLock { state in state.fruits.first { $0.id == id }?.fruit }
    }

    /// - Returns: its number; nil where the basket is full.
    func add(_ fruit: Fruit) -> Int? {
        state.withLock { state in
            guard state.fruits.count < Self.fruitsMax else { return nil }
            state.lastID += 1
            state.fruits.append((state.lastID, fruit))
            return state.lastID
        }
    }

    func remove(_ id: Int) -> Bool {
        state.withLock { state in
            guard let index = state.fruits.firstIndex(where: { $0.id == id }) else { return false }
            state.fruits.remove(at: index)
            return true
        }
    }

    /// A new token.
    func signIn() -> String {
        let token = "fruit-" + String(UInt64.random(in: .min ... .max), radix: 36)
        state.withLock { state in
            state.tokens.append(token)
            // The first one is the fixed one.
            if state.tokens.count > Self.tokensMax { state.tokens.remove(at: 1) }
        }
        return token
    }

    func knows(_ token: String) -> Bool {
        state.withLock { $0.tokens.contains(token) }
    }
}
