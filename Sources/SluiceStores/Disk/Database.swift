internal import CSQLite
internal import CWALIndex

/// A connection to a SQLite database; used by one thread at a time.
final class Database {
    private let handle: OpaquePointer

    /// A failure as SQLite reports it.
    struct Failure: Error, CustomStringConvertible {
        var code: Int32
        var description: String

        /// Whether the file is damaged. The statements never change: where SQLite does not understand one, or a rule of
        /// a table is violated, the schema in the file is damaged.
        var isDamage: Bool {
            // The log is shorter than what was written to it.
            if code == Self.shortRead { return true }
            return [SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR, SQLITE_CONSTRAINT, SQLITE_MISMATCH].contains(
                code & 0xff)
        }

        private static let shortRead = SQLITE_IOERR | 2 << 8
    }

    private static let busyMilliseconds: Int32 = 1000

    /// - Parameter isNew: whether a missing file is created.
    init(_ path: String, isNew: Bool) throws(Failure) {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | (isNew ? SQLITE_OPEN_CREATE : 0)
        guard let vfs = cwalindex_register() else {
            throw Failure(code: SQLITE_ERROR, description: "SQLite has no way to files here")
        }
        let code = sqlite3_open_v2(path, &opened, flags, vfs)
        guard code == SQLITE_OK, let opened else {
            let failure = Failure(code: code, description: "\(path): \(String(cString: sqlite3_errstr(code)))")
            sqlite3_close_v2(opened)
            throw failure
        }
        handle = opened
        sqlite3_extended_result_codes(handle, 1)
        sqlite3_busy_timeout(handle, Self.busyMilliseconds)
    }

    deinit { sqlite3_close_v2(handle) }

    func failure(_ code: Int32) -> Failure {
        Failure(code: code, description: String(cString: sqlite3_errmsg(handle)))
    }

    /// Statements without results or parameters.
    func run(_ text: String) throws(Failure) {
        let code = sqlite3_exec(handle, text, nil, nil, nil)
        if code != SQLITE_OK { throw failure(code) }
    }

    func prepare(_ text: String) throws(Failure) -> Statement {
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v3(handle, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard code == SQLITE_OK, let statement else { throw failure(code) }
        return Statement(statement, of: self)
    }

    /// The first column of the first row.
    func number(_ text: String) throws(Failure) -> Int {
        let statement = try prepare(text)
        return try statement.step() ? statement.integer(0) : 0
    }

    /// Whether a transaction is open: a failure may have ended it.
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }
}

/// A statement to be run many times.
final class Statement {
    private let handle: OpaquePointer
    // Closed after its statements.
    private let database: Database

    init(_ handle: OpaquePointer, of database: Database) {
        self.handle = handle
        self.database = database
    }

    deinit { sqlite3_finalize(handle) }

    func bind(_ index: Int32, _ value: Int) { sqlite3_bind_int64(handle, index, Int64(value)) }

    func bind(_ index: Int32, _ value: UInt64) { sqlite3_bind_int64(handle, index, Int64(bitPattern: value)) }

    /// Copied by SQLite.
    func bind(_ index: Int32, _ text: String) {
        let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        sqlite3_bind_text(handle, index, text, -1, copied)
    }

    /// - Returns: whether there is a row.
    func step() throws(Database.Failure) -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        let failure = database.failure(code)
        reset()
        throw failure
    }

    /// Runs it to its end.
    func run() throws(Database.Failure) {
        while try step() {}
        reset()
    }

    /// Runs it to its end with bytes that are not copied.
    func run(binding index: Int32, to bytes: [UInt8]) throws(Database.Failure) {
        let code = bytes.withUnsafeBytes { bytes in
            sqlite3_bind_blob64(handle, index, bytes.baseAddress, UInt64(bytes.count), nil)
            return sqlite3_step(handle)
        }
        let failure = code == SQLITE_DONE ? nil : database.failure(code)
        reset()
        if let failure { throw failure }
    }

    func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    func integer(_ column: Int32) -> Int { Int(sqlite3_column_int64(handle, column)) }

    func word(_ column: Int32) -> UInt64 { UInt64(bitPattern: sqlite3_column_int64(handle, column)) }

    /// Valid until the next step or reset.
    func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
        let start = sqlite3_column_blob(handle, column)
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
    }
}
