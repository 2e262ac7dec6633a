internal import Dispatch
internal import Synchronization

/// What becomes of the tier where somebody or something has damaged its folder. All of it on `writes`.
///
/// It costs what is stored, and never an invalidation: those stand in memory, and are recorded anew.
extension DiskTier {
    /// Looks whether the folder and its files are still those that were opened.
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

    /// What was to be purged from the file went with it. What still waits in the queue stays: responses that the next
    /// file gets may stand before it.
    private func forgetFile() {
        state.withLock { state in
            state.generation += 1
            state.owed = []
            state.purgesUnderWay = 0
            state.purges = state.jobs.compactMap { if case .purge(let request) = $0 { request } else { nil } }
        }
    }

    /// No lookup meets files that come and go. A connection to the old file that was closed later would remove the new
    /// one's log, which has the same name.
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

    /// Begins with an empty folder, where there is one again.
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

    /// Goes on without a folder; it is looked for now and then.
    private func leave(_ failure: StoreFailure) {
        writer.end()
        if isAway.exchange(true, ordering: .relaxed) { return }
        warn(
            "answers are kept in memory alone: \(failure); it is tried again every \(Self.sweepSeconds) s")
    }
}
