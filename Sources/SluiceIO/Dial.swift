internal import SluiceContract
internal import SluiceGateway
internal import SluiceSockets
internal import Glibc

/// Making one connection to an upstream: resolve, try the addresses as ``HappyEyeballs`` says, hand the socket over.
final class Dial {
    private let link: Link
    private let endpoint: DialTarget
    private var machine = HappyEyeballs()
    private var addresses: [SocketAddress] = []
    private var attempts: [Int: Attempt] = [:]
    /// The TLS context, if any; set before there is a socket.
    private var context: TLSContext?
    /// The place where this waits for the addresses.
    private var ticket: Resolver.Ticket?
    private(set) var deadline: UInt64?
    /// The attempt that is made again at ``deadline``, because the queue of its socket is full.
    private var repeated: Int?
    private var isOver = false

    /// Longer than a program takes to accept those that wait; the loop looks every 50 ms at least.
    private static let repeatNanoseconds: UInt64 = 5_000_000

    private struct Attempt {
        var descriptor: Int32
        var registration: UInt32
    }

    private init(_ link: Link, _ endpoint: DialTarget) {
        self.link = link
        self.endpoint = endpoint
        link.attachment = self
    }

    static func start(_ link: Link, to endpoint: DialTarget, on loop: EventLoop) {
        let dial = Dial(link, endpoint)
        if case .tcp(_, _, true) = endpoint.origin {
            dial.context = loop.dialing.context(for: endpoint.settings)
            if dial.context == nil { return dial.prepare(loop) }
        }
        dial.find(loop)
    }

    /// The first connection to an upstream over TLS waits for the files that it needs.
    private func prepare(_ loop: EventLoop) {
        let mailbox = loop.mailbox
        let box = LoopConfined(self)
        loop.dialing.makeContext(for: endpoint.settings) { result in
            mailbox.post { loop in box.value.prepared(result, loop) }
        }
    }

    private func prepared(_ result: Result<TLSContext, TLSError>, _ loop: EventLoop) {
        if isOver { return }
        switch result {
        case .success(let context):
            self.context = context
            find(loop)
        case .failure(let error):
            fail(TransportFailure(.tlsFailure, "TLS with '\(endpoint.settings.name)': \(error)."), loop)
        }
    }

    private func find(_ loop: EventLoop) {
        switch endpoint.origin {
        case .unix(let path):
            guard let address = SocketAddress(unixPath: path) else {
                return fail(TransportFailure(.unreachable, "The socket path '\(path)' is too long."), loop)
            }
            begin([address], loop)
        case .tcp(let host, let port, _):
            if let literal = SocketAddress(literal: host, port: port) {
                begin([literal], loop)
            } else {
                resolve(host, port, loop)
            }
        }
    }

    private func resolve(_ host: String, _ port: Int, _ loop: EventLoop) {
        let mailbox = loop.mailbox
        let box = LoopConfined(self)
        ticket = loop.dialing.resolver.resolve(host: host, port: port) { result in
            mailbox.post { loop in box.value.resolved(result, host, loop) }
        }
    }

    private func resolved(
        _ result: Result<[SocketAddress], ResolveFailure>, _ host: String, _ loop: EventLoop
    ) {
        ticket = nil
        if isOver { return }
        switch result {
        case .success(let addresses): begin(addresses, loop)
        case .failure(let failure):
            // A shortage of the gateway's says nothing of the name.
            let kind: Problem.Kind = failure == .overloaded ? .overloaded : .nameNotFound
            fail(TransportFailure(kind, "The name '\(host)' of '\(endpoint.settings.name)': \(failure)."), loop)
        }
    }

    private func begin(_ addresses: [SocketAddress], _ loop: EventLoop) {
        self.addresses = addresses
        machine.resolved(
            isIPv6: addresses.map { $0.family == .ipv6 }, noAddressError: EHOSTUNREACH, at: loop.gateway.now)
        follow(loop)
    }

    private func follow(_ loop: EventLoop) {
        while let order = machine.next() {
            switch order {
            case .startAttempt(let index): startAttempt(index, loop)
            case .armTimer(let deadline):
                self.deadline = deadline
                loop.waiting(self)
            case .cancelTimer: deadline = nil
            case .cancelAttempt(let index): endAttempt(index, loop)
            case .succeeded(let index): succeed(index, loop)
            case .failed(let code):
                let kind = Self.kind(of: code)
                if kind == .overloaded {
                    let shortage = code == EADDRNOTAVAIL ? loop.shortages?.ports : loop.shortages?.descriptors
                    shortage?.occurred(at: loop.gateway.now, SystemCall.reason(code))
                }
                fail(
                    TransportFailure(
                        kind, "No connection to '\(endpoint.settings.name)': \(SystemCall.reason(code).lowercased())."),
                    loop)
            }
        }
    }

    static func kind(of code: Int32) -> Problem.Kind {
        switch code {
        case ECONNREFUSED, ENOENT: .connectionRefused
        // A shortage of the gateway's, not a failure of the upstream.
        case EMFILE, ENFILE, ENOBUFS, ENOMEM, EADDRNOTAVAIL: .overloaded
        default: .unreachable
        }
    }

    func timerFired(_ loop: EventLoop) {
        deadline = nil
        if let index = repeated {
            repeated = nil
            startAttempt(index, loop)
        } else {
            machine.timerFired(at: loop.gateway.now)
        }
        follow(loop)
    }

    // MARK: - Attempts

    private func startAttempt(_ index: Int, _ loop: EventLoop) {
        let address = addresses[index]
        let descriptor = Socket.make(for: address)
        guard descriptor >= 0 else {
            return machine.attemptFailed(index, error: errno, at: loop.gateway.now)
        }
        Socket.setNoDelay(descriptor)
        Socket.boundUnsent(descriptor)
        let code = address.withSockAddr { connect(descriptor, $0, $1) } == 0 ? 0 : errno
        let registration = loop.nextRegistrationNumber()
        attempts[index] = Attempt(descriptor: descriptor, registration: registration)
        switch code {
        case 0:
            machine.attemptSucceeded(index)
        case EINPROGRESS:
            let refused = loop.poller.add(descriptor, registration: registration, .write)
            if refused == 0 {
                loop.register(self, at: descriptor)
            } else {
                attempts[index] = nil
                close(descriptor)
                machine.attemptFailed(index, error: refused, at: loop.gateway.now)
            }
        case EAGAIN where address.family == .unix:
            // The queue of those who wait for the program is full (connect(2)): no failure before `connect:` is over. A
            // Unix socket is the only address of its upstream, so that the machine has no timer.
            attempts[index] = nil
            close(descriptor)
            repeated = index
            deadline = loop.gateway.now &+ Self.repeatNanoseconds
            loop.waiting(self)
        default:
            attempts[index] = nil
            close(descriptor)
            // IPv6: the system may have no address to connect from, where IPv4 has no port left (connect(2)).
            let isUnreachable = code == EADDRNOTAVAIL && address.family == .ipv6
            machine.attemptFailed(index, error: isUnreachable ? ENETUNREACH : code, at: loop.gateway.now)
        }
    }

    /// A connecting socket is ready: it is connected, or has failed.
    func ready(_ event: Poller.Event, _ loop: EventLoop) {
        guard let (index, attempt) = attempts.first(where: { $0.value.descriptor == event.descriptor }),
            attempt.registration == event.registration
        else { return }
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(event.descriptor, SOL_SOCKET, SO_ERROR, &code, &length)
        if code == 0 {
            machine.attemptSucceeded(index)
        } else {
            endAttempt(index, loop)
            machine.attemptFailed(index, error: code, at: loop.gateway.now)
        }
        follow(loop)
    }

    private func endAttempt(_ index: Int, _ loop: EventLoop) {
        guard let attempt = attempts.removeValue(forKey: index) else { return }
        loop.unregister(dialAt: attempt.descriptor)
        close(attempt.descriptor)
    }

    // MARK: - The end

    private func succeed(_ index: Int, _ loop: EventLoop) {
        guard let attempt = attempts.removeValue(forKey: index) else { return }
        let isRegistered = loop.unregister(dialAt: attempt.descriptor)
        isOver = true
        var session: TLSSession?
        if case .tcp(let host, _, true) = endpoint.origin, let context {
            session = TLSSession(client: context, serverName: host, alpn: link.protocols)
        }
        link.attachment = nil
        let transport = Transport(
            descriptor: attempt.descriptor, registration: attempt.registration, link: link, tls: session,
            peer: Transport.Peer(addresses[index]))
        guard loop.adopt(transport, isRegistered: isRegistered) else {
            close(attempt.descriptor)
            return report(TransportFailure(.unreachable, "No room to watch another connection."), loop)
        }
        transport.begin(loop)
    }

    private func fail(_ failure: TransportFailure, _ loop: EventLoop) {
        if isOver { return }
        isOver = true
        report(failure, loop)
    }

    private func report(_ failure: TransportFailure, _ loop: EventLoop) {
        link.attachment = nil
        link.handle = -1
        link.failed(failure)
        loop.carryOut()
    }

    /// The connection is no longer wanted.
    func cancel(_ loop: EventLoop) {
        if isOver { return }
        isOver = true
        link.attachment = nil
        if let ticket { loop.dialing.resolver.withdraw(ticket) }
        (repeated, deadline) = (nil, nil)
        machine.abandon()
        follow(loop)
    }
}

/// Passes an object of one loop through another thread, which does not touch it, and back.
struct LoopConfined<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}
