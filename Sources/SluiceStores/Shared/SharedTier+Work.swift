internal import Dispatch
internal import SluiceCache
internal import SluiceContract
internal import Synchronization

/// The work on the tier's own queue.
extension SharedTier {
    /// Prefix of all our keys on the server. A new format has new names.
    private static let prefix = "sluice:2:"
    private static let marksKey = Array((prefix + "marks").utf8)
    private static let numberKey = Array((prefix + "number").utf8)

    /// Lookups and stores in one round: few stores, because lookups that arrive meanwhile wait for them.
    private static let lookupsPerRound = 16
    static let storesPerRound = 16
    private static let storedBytesPerRound = 64 << 10
    /// Invalidations that share the time limit of one reply.
    private static let toldPerReplyTime = 256
    /// Bytes of records found in one round; further records count as not found.
    private static let foundBytesPerRound = 32 << 20
    /// The largest step of the number: so large that a number never repeats.
    private static let stepMax = 1 << 32

    private static func key(_ key: CacheKey) -> [UInt8] { Array((prefix + "entry:" + key.text).utf8) }

    private static func text(_ number: Int) -> [UInt8] { Array(String(number).utf8) }

    private struct Round {
        var lookups: [Lookup]
        var stores: [(entry: StoredResponse, receivedAt: Int)] = []
        /// Indices of ``SharedMarks``.
        var untold: Set<Int> = []
    }

    /// Does all noted work: invalidations first, lookups before stores.
    func work() {
        while let round = takeRound() {
            guard connection != nil else {
                giveUp(round)
                continue
            }
            do throws(StoreFailure) {
                try tell(round.untold)
                try answer(round.lookups)
                try store(round.stores)
            } catch {
                lost(error)
                giveUp(round)
            }
        }
    }

    /// nil where there is nothing to do now.
    private func takeRound() -> Round? {
        let hasConnection = connection != nil
        return state.withLock { state in
            // Drops lookups that have been answered by a timeout.
            state.lookups.removeAll { $0.answer.isGiven }
            let count = min(state.lookups.count, Self.lookupsPerRound)
            var round = Round(lookups: Array(state.lookups[..<count]))
            state.lookups.removeFirst(count)
            if hasConnection {
                round.untold = state.untold.take()
                var bytes = 0
                while round.stores.count < Self.storesPerRound, bytes < Self.storedBytesPerRound,
                    let first = state.stores.first
                {
                    bytes += first.entry.charge
                    round.stores.append(first)
                    state.stores.removeFirst()
                }
                state.bytes -= bytes
            } else {
                (state.stores, state.bytes) = ([], 0)
            }
            if round.lookups.isEmpty, round.stores.isEmpty, round.untold.isEmpty {
                state.isWorking = false
                return nil
            }
            return round
        }
    }

    /// Answers the round's lookups with nothing; invalidations wait for the next connection.
    private func giveUp(_ round: Round) {
        for lookup in round.lookups { lookup.answer.give(nil) }
        state.withLock { $0.untold.giveBack(round.untold) }
    }

    // MARK: - Invalidations

    /// Tells the server of our invalidations.
    private func tell(_ untold: Set<Int>) throws(StoreFailure) {
        guard !untold.isEmpty, let connection else { return }
        let indices = Array(untold)
        let step = Int.random(in: 1...Self.stepMax, using: &random)
        var words: [UInt64] = []
        for index in indices {
            let word = random.next(upperBound: UInt64.max - 1) + 1
            words.append(word)
            let bytes = withUnsafeBytes(of: word.littleEndian) { Array($0) }
            connection.append([Array("SETRANGE".utf8), Self.marksKey, Self.text(index * 8), bytes])
        }
        connection.append([Array("INCRBY".utf8), Self.numberKey, Self.text(step)])
        var isRefused = false
        for place in indices.indices {
            if place.isMultiple(of: Self.toldPerReplyTime) { connection.beginRound() }
            if case .refused = try connection.reply() { isRefused = true }
        }
        guard case .number(let number) = try connection.reply(), !isRefused else {
            state.withLock { $0.untold.giveBack(untold) }
            return try beginAnew()
        }
        for (index, word) in zip(indices, words) { marks[index] = word }
        state.withLock { $0.untold.told(untold) }
        if number == marks.number &+ step { return marks.number = number }
        // Another gateway has written meanwhile: perhaps the same word, which is overwritten now.
        for index in untold where (SharedMarks.hardIndex..<SharedMarks.softIndex).contains(index) {
            epochs.count(UInt32(index - SharedMarks.hardIndex))
        }
        try readMarks()
    }

    /// Replaces an unusable value: of another type, or without an era. With a new era, no older record is used.
    private func beginAnew() throws(StoreFailure) {
        guard let connection else { return }
        _ = try connection.ask(Array("DEL".utf8), Self.marksKey, Self.numberKey)
        let era = random.next(upperBound: UInt64.max - 1) + 1
        let bytes = withUnsafeBytes(of: era.littleEndian) { Array($0) }
        let step = Int.random(in: 1...Self.stepMax, using: &random)
        let reply = try connection.ask(Array("SETRANGE".utf8), Self.marksKey, Self.text(0), bytes)
        guard case .number = reply else { throw StoreFailure("the server refuses to store") }
        _ = try connection.ask(Array("INCRBY".utf8), Self.numberKey, Self.text(step))
        try readMarks(isSecond: true)
    }

    /// Reads the invalidations of all gateways.
    private func readMarks(isSecond: Bool = false) throws(StoreFailure) {
        guard let connection else { return }
        connection.beginRound()
        let number = try readNumber()
        let reply = try connection.ask(
            Array("GETRANGE".utf8), Self.marksKey, Self.text(0), Self.text(RedisConnection.replyBytesMax - 1))
        guard let number, case .bytes(let bytes) = reply, bytes.prefix(8).contains(where: { $0 != 0 }), bytes.count >= 8
        else {
            if isSecond { throw StoreFailure("the server does not keep what it is told") }
            return try beginAnew()
        }
        let forgotten = marks.adopt(bytes, isFirst: isFirstLook) { epochs.count($0) }
        marks.number = number
        isFirstLook = false
        if !forgotten.isEmpty { state.withLock { state in forgotten.forEach { state.untold.insert($0) } } }
    }

    /// The number on the server; nil where the key is missing or has another value.
    private func readNumber() throws(StoreFailure) -> Int? {
        guard let connection else { return nil }
        connection.append(Self.readingNumber)
        return Self.number(try connection.reply())
    }

    /// No more than the digits of a number: any other value of that key is not read into memory.
    private static let readingNumber = [Array("GETRANGE".utf8), numberKey, text(0), text(31)]

    private static func number(_ reply: RedisConnection.Reply) -> Int? {
        guard case .bytes(let bytes) = reply else { return nil }
        return Int(String(decoding: bytes, as: UTF8.self))
    }

    // MARK: - Lookups

    private func answer(_ lookups: [Lookup]) throws(StoreFailure) {
        guard let connection, !lookups.isEmpty else { return }
        let last = state.withLock { $0.recordBytesMax }
        for lookup in lookups {
            for key in lookup.query.keys {
                // No more than a record may have: any other value of that key is not read into memory.
                connection.append([Array("GETRANGE".utf8), Self.key(key), Self.text(0), Self.text(last)])
            }
        }
        // After the records: a change that they do not show yet shows in the number.
        connection.append(Self.readingNumber)
        var found: [[(CacheKey, [UInt8])]] = []
        var room = Self.foundBytesPerRound
        for lookup in lookups {
            var records: [(CacheKey, [UInt8])] = []
            for key in lookup.query.keys {
                // A lookup waits for one reply's time at most, whatever a round takes; what arrives late is still used.
                connection.beginRound()
                guard case .bytes(let bytes) = try connection.reply(atMost: last + 1), !bytes.isEmpty,
                    bytes.count <= room
                else { continue }
                room -= bytes.count
                records.append((key, bytes))
            }
            found.append(records)
        }
        connection.beginRound()
        if Self.number(try connection.reply()) != marks.number { try readMarks() }
        for (lookup, records) in zip(lookups, found) { lookup.answer.give(firstGood(records, lookup.query)) }
    }

    private func firstGood(_ records: [(key: CacheKey, bytes: [UInt8])], _ query: TierQuery) -> StoredResponse? {
        for (key, bytes) in records {
            let entry = bytes.withUnsafeBytes { bytes -> StoredResponse? in
                guard let record = TierRecord(bytes, secret: secret), record.key == key,
                    record.expiresAt > query.unixSeconds, query.newerThan.map({ record.madeAt > $0 }) ?? true
                else { return nil }
                let verdict = marks.judge(record.marks)
                if verdict == .useless { return nil }
                guard let dependencies = dependencies(record.marks) else { return nil }
                return record.response(bytes, query, dependencies: dependencies, isStale: verdict == .stale)
            }
            if let entry { return entry }
        }
        return nil
    }

    /// The current counters of the memory store: the record was current a moment ago. nil where one of them has changed
    /// since, and the server has not heard of it.
    private func dependencies(_ marks: [TierRecord.Mark]) -> [Epochs.Dependency]? {
        let slots = marks.compactMap { mark -> UInt32? in
            let index = Int(mark.slot)
            guard (SharedMarks.hardIndex..<SharedMarks.softIndex).contains(index) else { return nil }
            return mark.slot - UInt32(SharedMarks.hardIndex)
        }
        let dependencies = slots.map { epochs.current($0) }
        // After the counters: an invalidation is noted here before it is counted.
        let isUntold = state.withLock { state in
            !state.untold.isEmpty && marks.contains { state.untold.contains(Int($0.slot)) }
        }
        return isUntold ? nil : dependencies
    }

    // MARK: - Stores

    private func store(_ stores: [(entry: StoredResponse, receivedAt: Int)]) throws(StoreFailure) {
        guard let connection, !stores.isEmpty else { return }
        connection.beginRound()
        var count = 0
        for (entry, receivedAt) in stores where entry.dependencies.allSatisfy({ epochs.isCurrent($0) }) {
            let seconds = TierRecord.expiry(of: entry, receivedAt: receivedAt) - receivedAt
            let record = TierRecord.bytes(
                of: entry, receivedAt: receivedAt, marks: marks.marks(of: entry, secret), secret: secret)
            connection.append([
                Array("SET".utf8), Self.key(entry.key), record, Array("EX".utf8), Self.text(max(1, seconds)),
            ])
            count += 1
        }
        // A record that the server refuses, because it is full, is not kept.
        for _ in 0..<count { _ = try connection.reply() }
    }

    // MARK: - The connection

    /// Connects if there is no connection, and reads other gateways' invalidations; repeats itself.
    func look() {
        if state.withLock({ $0.isClosed }) { return }
        if connection != nil || DispatchTime.now() >= restEnd { lookNow() }
        let next = connection == nil ? restEnd : DispatchTime.now() + .milliseconds(Self.lookMilliseconds)
        queue.asyncAfter(deadline: next) { [weak self] in self?.look() }
    }

    private func lookNow() {
        do throws(StoreFailure) {
            if connection == nil {
                connection = try connect()
            } else {
                // A server whose connection is lost as soon as it is used is tried less and less often.
                pauseMilliseconds = Self.pauseMillisecondsMin
            }
            connection?.beginRound()
            if try readNumber() != marks.number || isFirstLook { try readMarks() }
            found()
        } catch {
            lost(error)
        }
    }

    private func connect() throws(StoreFailure) -> RedisConnection {
        let connection = try RedisConnection(settings)
        if let password {
            let user = settings.user.map { [Array($0.utf8)] } ?? []
            connection.append([Array("AUTH".utf8)] + user + [Array(password.utf8)])
            if case .refused(let code) = try connection.reply() {
                throw StoreFailure("it refuses the password (\(code)); look at 'shared:' in the configuration")
            }
        }
        if settings.database != 0 {
            let reply = try connection.ask(Array("SELECT".utf8), Self.text(settings.database))
            if case .refused(let code) = reply {
                throw StoreFailure("it has no database \(settings.database) (\(code)); look at 'shared:'")
            }
        }
        if case .refused(let code) = try connection.ask(Array("PING".utf8)) {
            let advice = code == "NOAUTH" ? "; it asks for a password: add one to 'shared:'" : ""
            throw StoreFailure("it refuses (\(code))\(advice)")
        }
        return connection
    }

    private func found() {
        isReady.store(true, ordering: .relaxed)
        if wasReady == false { warn("the shared cache at \(settings.address.text) is back") }
        wasReady = true
        // Does the work that waited for the connection.
        work()
    }

    private func lost(_ failure: StoreFailure) {
        isReady.store(false, ordering: .relaxed)
        pauseMilliseconds = min(pauseMilliseconds * 2, Self.pauseMillisecondsMax)
        restEnd = DispatchTime.now() + .milliseconds(pauseMilliseconds)
        connection = nil
        if wasReady != false {
            warn("the shared cache at \(settings.address.text): \(failure); serving goes on without it")
        }
        wasReady = false
    }
}

extension CacheSettings.SharedStore.Address {
    /// For people.
    var text: String {
        switch self {
        case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .unix(let path): path
        }
    }
}
