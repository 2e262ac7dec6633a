internal import SluiceCache

/// The entries in their database, as the writer sees them; used by one thread at a time.
///
/// Searched columns stand in rows of their own, so that no search reads a body.
final class DiskTable {
    let database: Database
    private let put: Statement
    private let putRecord: Statement
    private let drop: Statement
    private let dropRecord: Statement
    private let mark: Statement
    private let oldest: Statement
    private let turn: Statement
    private let expired: Statement
    private var nextTurn: Int

    /// The layout of the file (`user_version`). A file of another one counts as damaged: it is moved away, and the tier
    /// begins with an empty one.
    private static let version = 1
    /// Entries looked at or removed in one go.
    private static let roundMax = 256

    /// - Parameter identity: entries with another identity are removed.
    init(_ path: String, identity: UInt64) throws(Database.Failure) {
        database = try Database(path, isNew: true)
        try database.run(
            """
            PRAGMA auto_vacuum = INCREMENTAL;
            PRAGMA journal_mode = WAL;
            PRAGMA synchronous = NORMAL;
            PRAGMA journal_size_limit = 16777216;
            PRAGMA cell_size_check = ON;
            PRAGMA trusted_schema = OFF;
            PRAGMA temp_store = MEMORY;
            PRAGMA cache_size = -4096;
            """)
        let found = try database.number("PRAGMA user_version")
        if found != Self.version {
            guard found == 0, try database.number("SELECT count(*) FROM sqlite_schema") == 0 else {
                throw Database.Failure(code: 26, description: "the file is of version \(found)")
            }
            try Self.create(database)
        }
        let owner = try database.prepare("SELECT value FROM facts WHERE name = 'identity'")
        let isOurs = try owner.step() && owner.word(0) == identity
        owner.reset()
        if !isOurs { try Self.claim(database, identity) }
        put = try database.prepare(
            "INSERT OR REPLACE INTO entries (id, turn, used, stale, expires, place, binding, tags)"
                + " VALUES (?1, ?2, 0, 0, ?3, ?4, ?5, ?6)")
        putRecord = try database.prepare("INSERT OR REPLACE INTO records (id, record) VALUES (?1, ?2)")
        drop = try database.prepare("DELETE FROM entries WHERE id = ?1")
        dropRecord = try database.prepare("DELETE FROM records WHERE id = ?1")
        mark = try database.prepare("UPDATE entries SET used = 1 WHERE id = ?1")
        oldest = try database.prepare("SELECT id, used FROM entries ORDER BY turn LIMIT \(Self.roundMax)")
        turn = try database.prepare("UPDATE entries SET turn = ?2, used = 0 WHERE id = ?1")
        expired = try database.prepare("SELECT id FROM entries WHERE expires < ?1 LIMIT \(Self.roundMax)")
        nextTurn = try database.number("SELECT max(turn) FROM entries") + 1
    }

    private static func create(_ database: Database) throws(Database.Failure) {
        try database.run(
            """
            BEGIN IMMEDIATE;
            CREATE TABLE facts (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
            CREATE TABLE entries (
                id INTEGER PRIMARY KEY, turn INTEGER NOT NULL, used INTEGER NOT NULL, stale INTEGER NOT NULL,
                expires INTEGER NOT NULL, place INTEGER NOT NULL, binding TEXT NOT NULL, tags TEXT NOT NULL);
            CREATE INDEX entries_turn ON entries (turn);
            CREATE INDEX entries_expires ON entries (expires);
            CREATE INDEX entries_place ON entries (place);
            CREATE INDEX entries_binding ON entries (binding);
            CREATE TABLE records (id INTEGER PRIMARY KEY, record BLOB NOT NULL);
            PRAGMA user_version = \(version);
            COMMIT;
            """)
    }

    /// Removes entries of another identity: our keys cannot find them, or they were invalidated without our knowledge.
    private static func claim(_ database: Database, _ identity: UInt64) throws(Database.Failure) {
        try database.run("BEGIN IMMEDIATE; DELETE FROM entries; DELETE FROM records;")
        let claim = try database.prepare("INSERT OR REPLACE INTO facts (name, value) VALUES ('identity', ?1)")
        claim.bind(1, identity)
        try claim.run()
        try database.run("COMMIT")
    }

    // MARK: - Entries

    /// - Parameter record: the record of `entry`.
    func put(_ entry: StoredResponse, _ record: [UInt8], expiresAt: Int) throws(Database.Failure) {
        let label = entry.label
        put.bind(1, entry.key.low)
        put.bind(2, nextTurn)
        put.bind(3, expiresAt)
        put.bind(4, Self.place(label.target))
        put.bind(5, label.source?.binding ?? "")
        put.bind(6, Self.joined(label.source?.tags ?? []) + Self.joined(label.groups))
        nextTurn += 1
        try put.run()
        putRecord.bind(1, entry.key.low)
        try putRecord.run(binding: 2, to: record)
    }

    func remove(_ id: UInt64) throws(Database.Failure) {
        drop.bind(1, id)
        try drop.run()
        dropRecord.bind(1, id)
        try dropRecord.run()
    }

    /// Marks an entry as used: it stays for one more round.
    func used(_ id: UInt64) throws(Database.Failure) {
        mark.bind(1, id)
        try mark.run()
    }

    /// - Returns: whether there may be more.
    func removeExpired(_ unixSeconds: Int) throws(Database.Failure) -> Bool {
        expired.bind(1, unixSeconds)
        let ids = try rows(expired).map(\.id)
        for id in ids { try remove(id) }
        return ids.count == Self.roundMax
    }

    private func rows(_ statement: Statement) throws(Database.Failure) -> [(id: UInt64, second: Int)] {
        var rows: [(id: UInt64, second: Int)] = []
        while try statement.step() { rows.append((statement.word(0), statement.integer(1))) }
        statement.reset()
        return rows
    }

    // MARK: - The budget

    /// Bytes of the file that are in use.
    func usage() throws(Database.Failure) -> Int {
        let pages = try database.number("PRAGMA page_count") - database.number("PRAGMA freelist_count")
        return pages * (try database.number("PRAGMA page_size"))
    }

    /// Removes the oldest entries until the file holds no more than `bytes`; one that was used gets a second turn.
    func shrink(to bytes: Int) throws(Database.Failure) {
        while try usage() > bytes {
            let rows = try rows(oldest)
            if rows.isEmpty { return }
            for row in rows {
                if row.second != 0 {
                    turn.bind(1, row.id)
                    turn.bind(2, nextTurn)
                    nextTurn += 1
                    try turn.run()
                } else {
                    try remove(row.id)
                    if try usage() <= bytes { return }
                }
            }
        }
    }

    /// Gives free pages back to the file system where there are many.
    func trim() throws(Database.Failure) {
        let free = try database.number("PRAGMA freelist_count")
        if free > 1024, free > (try database.number("PRAGMA page_count")) / 4 {
            try database.run("PRAGMA incremental_vacuum(512)")
        }
    }

    // MARK: - Purging

    func purge(_ request: PurgeRequest) throws(Database.Failure) {
        // A selection without a column of its own removes everything.
        var condition = ""
        var bind: (Statement) -> Void = { _ in }
        if case .binding(let name) = request.selection {
            (condition, bind) = ("WHERE binding = ?1", { $0.bind(1, name) })
        } else if case .key(let key) = request.selection {
            (condition, bind) = ("WHERE id = ?1", { $0.bind(1, key.low) })
        } else if case .target(let target) = request.selection {
            (condition, bind) = ("WHERE place = ?1", { $0.bind(1, Self.place(target)) })
        } else if case .tag(let tag) = request.selection {
            (condition, bind) = ("WHERE instr(tags, ?1) > 0", { $0.bind(1, Self.joined([tag])) })
        } else if case .group(let name) = request.selection {
            (condition, bind) = ("WHERE instr(tags, ?1) > 0", { $0.bind(1, Self.joined([name])) })
        }
        var statements = ["UPDATE entries SET stale = 1 \(condition)"]
        if !request.isSoft {
            // Without a condition, SQLite drops whole tables of rows at once.
            let records = condition.isEmpty ? "" : "WHERE id IN (SELECT id FROM entries \(condition))"
            statements = ["DELETE FROM records \(records)", "DELETE FROM entries \(condition)"]
        }
        for text in statements {
            let statement = try database.prepare(text)
            bind(statement)
            try statement.run()
        }
    }

    /// Hash of a target; two targets with the same hash are purged together.
    private static func place(_ target: [UInt8]) -> UInt64 {
        var hash = SipHash(0x7461_7267_6574, 0)
        target.withUnsafeBytes { hash.combine($0) }
        return hash.finish().0
    }

    /// Each tag between characters that no tag contains.
    private static func joined(_ tags: [String]) -> String {
        tags.map { "\u{1}\($0)\u{1}" }.joined()
    }

    /// Group names likewise, between other characters.
    private static func joined(_ groups: [[UInt8]]) -> String {
        groups.map { "\u{2}\(String(decoding: $0, as: UTF8.self))\u{2}" }.joined()
    }
}
