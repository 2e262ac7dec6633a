internal import SluiceHTTP
internal import SluiceSockets

// What calls do with a connection that the pool has lent them.
extension ClientConnection {
    /// Sends a request and waits for the head of its answer.
    /// - Returns: the step, and the number of the call for what follows.
    func perform(
        _ outgoing: OutgoingCall, due: UInt64
    ) async -> (step: CallMachine.HeadStep, number: UInt64) {
        let number = locked { call &+ 1 }
        if Task.isCancelled {
            giveBack(number)
            return (.failed(.cancelled), number)
        }
        let step = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                start(outgoing, number, due, continuation)
                // Cancelled before it began: nothing else reports it.
                if Task.isCancelled { cancel(number) }
            }
        } onCancel: {
            cancel(number)
        }
        return (step, number)
    }

    /// Nothing was asked for: the connection is as good as before.
    private func giveBack(_ number: UInt64) {
        locked {
            isLent = true
            call = number
        }
    }

    private func start(
        _ outgoing: OutgoingCall, _ number: UInt64, _ due: UInt64,
        _ continuation: CheckedContinuation<CallMachine.HeadStep, Never>
    ) {
        locked {
            isLent = true
            call = number
            waiter = .head(continuation)
            guard machine.life == .free else { return }
            // What the loop has not got to since the last answer is no answer to this call, and what may not be
            // repeated does not go where it would be lost.
            if machine.hasServed, socket.isOpen, socket.hasNews() {
                return machine.inputClosed(isTruncated: false)
            }
            deadlines.began(due: due)
            machine.begin(outgoing)
            if case .stream(_, let body) = outgoing.request.body { pump = Task { await send(body, number) } }
            flush()
        }
    }

    /// The answer is no longer wanted. The gateway sees the connection close.
    func cancel(_ number: UInt64) {
        locked {
            if number == call, machine.life == .busy { machine.fail(.cancelled) }
        }
    }

    // MARK: - A streamed request

    private func send(_ body: any AsyncSequence<[UInt8], any Error> & Sendable, _ number: UInt64) async {
        do {
            for try await piece in body {
                guard await append(piece, number) else { return }
            }
            ifAtWork(number) {
                machine.endContent()
                flush()
            }
        } catch {
            ifAtWork(number) { machine.fail(.body(error)) }
        }
    }

    /// - Returns: whether more is wanted, once it is.
    private func append(_ piece: [UInt8], _ number: UInt64) async -> Bool {
        let appetite = ifAtWork(number) {
            machine.append(content: piece)
            flush()
            return machine.appetite
        }
        guard appetite == .later else { return appetite == .now }
        return await withCheckedContinuation { continuation in
            let isWaiting = ifAtWork(number) { () -> Bool in
                sender = continuation
                return true
            }
            if isWaiting == nil { continuation.resume(returning: false) }
        }
    }

    @discardableResult
    private func ifAtWork<Result: Sendable>(_ number: UInt64, _ body: () -> Result) -> Result? {
        locked {
            guard number == call, machine.life == .busy, !machine.isOver else { return nil }
            return body()
        }
    }

    // MARK: - The answer's content

    /// The answer is read as a stream from now on.
    func stream(_ number: UInt64) {
        ifAtWork(number) { deadlines.streamed(pool.limits.stall, at: MonotonicClock.now()) }
    }

    /// The next of it.
    func content(_ number: UInt64) async -> CallMachine.ContentStep {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isTaken = locked { () -> Bool in
                    guard number == call, case .none = waiter else { return false }
                    waiter = .content(continuation)
                    // While nothing was read, the gateway's silence could not be noticed.
                    deadlines.progressed(pool.limits.stall, at: MonotonicClock.now())
                    return true
                }
                if !isTaken {
                    let error = TransportError.badRequest("its answer is being read by another task")
                    continuation.resume(returning: .failed(.transport(error)))
                }
                if Task.isCancelled { cancel(number) }
            }
        } onCancel: {
            cancel(number)
        }
    }
}
