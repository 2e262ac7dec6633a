internal import SluiceContract
internal import SluiceHTTP

/// An HTTP/1.1 connection to an upstream: serves one call at a time, waits in the pool between them.
final class UpstreamLink: Link {
    let upstream: UpstreamRuntime
    let endpoint: Endpoint
    private var machine: HTTP1ClientMachine
    /// Kept alive by its pool while it is at work; it lets go of this connection before it is given back.
    private var call: Borrowed<UpstreamCall>?
    private let timer = Timer(tag: TimerTag.link.rawValue)
    private var state = State.connecting
    /// Whether it has served a call before, so that its peer may have closed it just now.
    private(set) var isReused = false
    /// The current request has been written completely.
    private var isRequestComplete = false
    private var unwanted: UnwantedContent?
    /// How long the upstream has said that it keeps an idle connection (`Keep-Alive: timeout=5`).
    private var announcedSeconds: Int?

    private enum State {
        case connecting
        case idle
        case leased
        /// The call has all it needs; the rest of the answer is read and dropped, so that the connection can be kept.
        case discarding
        case ended
    }

    init(loop: LoopContext, upstream: UpstreamRuntime, endpoint: Endpoint, for call: UpstreamCall) {
        self.upstream = upstream
        self.endpoint = endpoint
        self.call = Borrowed(call)
        machine = HTTP1ClientMachine(limits: loop.http1Limits)
        super.init(loop: loop)
        loop.counters.upstreamConnections += 1
        upstream.cells.add(at: UpstreamCells.dialled)
        // Where the endpoint uses HTTP/2, this connection is for requests that need HTTP/1.1.
        if upstream.settings.httpVersion == .auto, !endpoint.isMultiplexed { protocols = ["h2", "http/1.1"] }
        dialing = endpoint
        touch()
        loop.timers.arm(timer, for: self, at: loop.now &+ upstream.connectNanoseconds)
    }

    /// Takes the place of a connection that was dialled for HTTP/2.
    init(succeeding link: HTTP2UpstreamLink) {
        upstream = link.upstream
        endpoint = link.endpoint
        machine = HTTP1ClientMachine(limits: link.loop.http1Limits)
        super.init(loop: link.loop)
        loop.counters.upstreamConnections += 1
        endpoint.pool.adopted()
    }

    deinit { loop.timers.cancel(timer) }

    // MARK: - Facts

    /// The transport is connected, TLS included.
    override func connected() {
        guard state == .connecting else { return }
        loop.timers.cancel(timer)
        if let call {
            state = .leased
            if call({ $0.leased(.connection(self)) }) { return }
            self.call = nil
        }
        release()
    }

    /// The peer was expected to speak HTTP/1.1, and has chosen HTTP/2.
    override func http2Agreed() {
        guard state == .connecting else { return }
        state = .ended
        loop.timers.cancel(timer)
        loop.counters.upstreamConnections -= 1
        endpoint.isMultiplexed = true
        let link = HTTP2UpstreamLink(loop: loop, upstream: upstream, endpoint: endpoint, isAgreed: true)
        handOver(to: link)
        // Calls that wait for a connection of their own get a stream, except those that need HTTP/1.1.
        let waiters = endpoint.pool.takeWaiting()
        _ = endpoint.pool.lost()
        let call = self.call
        self.call = nil
        call?({ $0.leaseAgain() })
        for waiter in waiters { waiter.leaseAgain() }
    }

    override func received(_ bytes: UnsafeRawBufferPointer) {
        guard state != .ended else { return }
        machine.feed(bytes)
        drainMachine()
    }

    /// The call's held bytes are copied first: they are borrowed from the machine.
    override func settle() {
        call?({ $0.settle() })
        loop.coding.settle()
        if state != .ended { machine.settle() }
    }

    override func inputClosed() {
        guard state != .ended else { return }
        machine.inputClosed()
        drainMachine()
        if state != .ended, state != .connecting { lose(nil) }
    }

    override func failed(_ failure: TransportFailure) {
        if state == .ended { return }
        // A reset may follow the last bytes of an answer that its framing shows to be complete.
        lose(failure.problem(with: upstream.settings.name))
    }

    override func drained() {
        call?({ $0.upstreamDrained() })
    }

    override func timerFired() {
        switch state {
        case .connecting:
            let settings = upstream.settings
            lose(
                Problem(
                    .connectTimeout,
                    detail: "No connection to '\(settings.name)' within \(settings.timeout.connect.words)."))
        case .idle: closeIdle()
        case .discarding: lose(nil)
        case .leased, .ended: break
        }
    }

    // MARK: - Orders from the call

    func requestBegan(_ method: Method, expectsUpgrade: Bool) {
        isRequestComplete = false
        machine.requestSent(method: method, expectsUpgrade: expectsUpgrade)
        touch()
    }

    func requestEnded() {
        isRequestComplete = true
        touch()
    }

    func setReading(_ reads: Bool) {
        guard state == .leased, wantsRead != reads else { return }
        wantsRead = reads
        touch()
    }

    /// The call does not want the rest of the answer.
    func abandon() {
        call = nil
        // A connection that is being established is kept for the next call.
        if state == .leased { lose(nil) }
    }

    /// The call has the value it wants before the answer has ended. Reading a short rest costs less than a new
    /// connection.
    func leaveRest() {
        call = nil
        guard state == .leased else { return }
        guard isRequestComplete, machine.isWorthEnding(upTo: UnwantedContent.bytesMax) else { return lose(nil) }
        state = .discarding
        unwanted = UnwantedContent()
        setIdleReading()
        loop.timers.arm(timer, for: self, at: loop.now &+ UnwantedContent.nanosecondsMax)
    }

    func lend(to call: UpstreamCall) {
        if !offer(call) { release() }
    }

    /// - Returns: whether the call takes it.
    private func offer(_ call: UpstreamCall) -> Bool {
        precondition(state == .idle, "an upstream connection was lent twice")
        loop.timers.park(timer)
        state = .leased
        isReused = true
        self.call = Borrowed(call)
        if call.leased(.connection(self)) { return true }
        self.call = nil
        return false
    }

    /// Closes an idle connection, and removes it from the pool if it is still there.
    func closeIdle() {
        guard state == .idle else { return }
        endpoint.pool.lost(idle: self)
        end(.closing)
    }

    // MARK: - The answer

    private func drainMachine() {
        while state == .leased || state == .idle {
            guard let call else { return drainUnasked() }
            guard call({ step($0) }) else { return }
        }
        if state == .discarding { drainUnwanted() }
    }

    private func drainUnwanted() {
        while let unwanted {
            switch unwanted.read(from: &machine) {
            case .needMore: return
            case .more: continue
            case .end(let reusable):
                self.unwanted = nil
                if reusable { release() } else { endLeased() }
            case .tooMuch: lose(nil)
            }
        }
    }

    /// Input without a request ends the connection (RFC 9112 §9.3: no answer without a request).
    private func drainUnasked() {
        if machine.isIdle { return }
        var head = ResponseHead()
        var trailers = HeaderBlock()
        if case .needMore = machine.next(&head, trailers: &trailers) { return }
        closeIdle()
    }

    /// - Returns: whether the machine may have more.
    private func step(_ call: UpstreamCall) -> Bool {
        switch machine.next(&call.response, trailers: &call.trailers) {
        case .needMore: return false
        case .interim: call.interimReceived()
        case .response:
            if let seconds = call.response.keepAliveSeconds { announcedSeconds = seconds }
            call.responseReceived()
        case .body(let bytes): call.bodyReceived(bytes)
        case .end(let reusable): finished(call, reusable: reusable)
        case .malformed(let reason):
            lose(Problem(.upstreamProtocol, detail: "'\(upstream.settings.name)': \(reason)"))
        case .truncated, .closedIdle:
            lose(nil)
            return false
        }
        return true
    }

    private func finished(_ call: UpstreamCall, reusable: Bool) {
        self.call = nil
        if machine.hasSurplus { upstream.noteSurplus(loop) }
        if reusable, isRequestComplete { release() } else { endLeased() }
        call.responseEnded()
    }

    /// Returns the connection to the pool, unless it will not be used again.
    private func release() {
        if upstream.isRetired || loop.isDraining || announcedSeconds == 0 { endLeased() } else { goIdle() }
    }

    /// How long the connection is kept idle. It is closed before its peer closes it, because a request that is on its
    /// way then is lost: a second before, or after half of the time where that is all there is.
    private var idleNanoseconds: UInt64 {
        guard let announcedSeconds else { return upstream.idleNanoseconds }
        let announced = UInt64(min(max(0, announcedSeconds), 1 << 32)) * 1_000_000_000
        return min(upstream.idleNanoseconds, announced - min(1_000_000_000, announced / 2))
    }

    private func goIdle() {
        // A waiter may refuse the connection: then the next one is offered it, in a loop rather than by recursion.
        while true {
            state = .idle
            setIdleReading()
            switch endpoint.pool.returned(self) {
            case .hand(let waiter):
                if offer(waiter) { return }
            case .keep:
                loop.timers.arm(timer, for: self, at: loop.now &+ idleNanoseconds)
                // An HTTP/2 connection may need its place.
                if endpoint.isMultiplexed { endpoint.openStreams(upstream, loop) }
                return
            case .close:
                end(.closing)
                return endpoint.openStreams(upstream, loop)
            }
        }
    }

    private func setIdleReading() {
        if !wantsRead {
            wantsRead = true
            touch()
        }
    }

    /// An answer that came before the whole request was written leaves the rest of it unsent. Such a connection is
    /// reset: a peer that does not read would keep open a connection that waits for its outbox.
    private func endLeased() {
        end(isRequestComplete && outbox.isEmpty ? .closing : .aborted)
        placeIsFree()
    }

    /// A leased connection is lost, and its place is free.
    private func placeIsFree() {
        if let waiter = endpoint.pool.lost(others: endpoint.streams.count) {
            waiter.open(upstream, endpoint)
        } else {
            endpoint.openStreams(upstream, loop)
        }
    }

    /// The connection is lost, or useless; its call is told why.
    private func lose(_ problem: Problem?) {
        let before = state
        let call = self.call
        let hadFirstByte = machine.hasReceivedFirstByte
        self.call = nil
        if before == .idle { endpoint.pool.lost(idle: self) }
        end(.aborted)
        if before == .connecting { upstream.notConnected(endpoint, problem, at: loop.now) }
        if before != .idle { placeIsFree() }
        call?({
            $0.linkLost(problem, isReused: isReused, hadFirstByte: hadFirstByte, wasConnecting: before == .connecting)
        })
    }

    private func end(_ ending: Ending) {
        guard state != .ended else { return }
        state = .ended
        loop.timers.cancel(timer)
        unwanted = nil
        loop.counters.upstreamConnections -= 1
        dialing = nil
        self.ending = ending
        touch()
    }
}
