internal import Dispatch
internal import Synchronization

/// Handling of damage to the tier's folder. All of it runs on `writes`.
///
/// Damage costs stored entries, but never an invalidation: those are in memory, and are recorded again.
extension DiskTier {
    /// Checks whether the folder and its files are still those that were opened.
    func inspect() {
        switch folder.condition {
        case .whole:
            if writer.hasLostFiles { replaceFile("was removed or replaced while it was in use") }
        case .countersLost:
            do throws(StoreFailure) {
                try folder.renewCounters()
                warn("\(folder.file("invalidations")) was damaged or removed; it was written anew, and nothing is lost")
            } catch {
                leave(error)
            }
        case .lost: beginAgain()
        }
    }

    /// Moves a damaged file out of the way and begins with an empty one.
    /// - Parameter generation: of the file that was found damaged; nil for the present one.
    func replaceFile(_ failure: Database.Failure, generation: Int?) {
        let present = state.withLock { $0.generation }
        if let generation, generation != present { return }
        replaceFile("is damaged (\(failure)), and was moved to cache.db.damaged")
    }

    private func replaceFile(_ what: String) {
        forgetFile()
        warn("\(folder.file("cache.db")) \(what); the gateway goes on with an empty one")
        do throws(StoreFailure) {
            try withoutReader { () throws(StoreFailure) in try writer.replace(clock()) }
        } catch {
            leave(error)
        }
    }

    /// Purges of the old file are void with it. Those in the queue stay: responses for the next file may stand before
    /// them.
    private func forgetFile() {
        state.withLock { state in
            state.generation += 1
            state.owed = []
            state.purgesUnderWay = 0
            state.purges = state.jobs.compactMap { if case .purge(let request) = $0 { request } else { nil } }
        }
    }

    /// Keeps lookups away while files are replaced. A connection to the old file that was closed later would remove the
    /// new file's log, which has the same name.
    private func withoutReader(_ body: () throws(StoreFailure) -> Void) throws(StoreFailure) {
        let failure = reads.sync { () -> StoreFailure? in
            reader = nil
            do throws(StoreFailure) {
                try body()
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw failure }
    }

    /// Starts with an empty folder, once there is one again.
    func beginAgain() {
        forgetFile()
        do throws(StoreFailure) {
            try withoutReader { () throws(StoreFailure) in
                writer.end()
                try folder.renew()
                try writer.begin(warn)
            }
            isAway.store(false, ordering: .relaxed)
            warn("\(folder.path) was removed, renamed or replaced; the gateway goes on with an empty one")
        } catch {
            leave(error)
        }
    }

    /// Continues without a folder, and checks for it from time to time.
    private func leave(_ failure: StoreFailure) {
        writer.end()
        if isAway.exchange(true, ordering: .relaxed) { return }
        warn(
            "answers are kept in memory alone: \(failure); it is tried again every \(Self.sweepSeconds) s")
    }
}
