import SluiceClient

// client-bench cpu http://HOST:PORT unix:PATH [CALLS [ROUNDS]]
// client-bench idle unix:PATH
// client-bench flight unix:PATH

let target = "/fruits/1"

/// Makes so many calls, some of them at the same time.
func run(_ contestant: Contestant, calls: Int, atOnce: Int) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<atOnce {
            group.addTask {
                for _ in 0..<calls / atOnce { _ = try await contestant.call() }
            }
        }
        try await group.waitForAll()
    }
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

/// CPU of this process for one call, one contestant after the other, round after round.
func cpu(_ tcp: String, _ unix: String, calls: Int, rounds: Int) async throws {
    let contestants = [
        Contestant.sluice("SluiceClient, Unix socket", try GatewayAddress(unix), target),
        .sluice("SluiceClient, TCP", try GatewayAddress(tcp), target),
        .asyncHTTPClient(tcp + target),
        try .urlSession(tcp + target),
    ]
    for contestant in contestants { try await run(contestant, calls: 500, atOnce: 1) }
    print("| µs of CPU for one call | 1 at a time | 64 at a time |\n|---|--:|--:|")
    var samples = contestants.map { _ in [[Double]](repeating: [], count: 2) }
    for _ in 0..<rounds {
        for (index, contestant) in contestants.enumerated() {
            for (column, atOnce) in [1, 64].enumerated() {
                let before = ProcessFacts.cpuMicroseconds()
                try await run(contestant, calls: calls, atOnce: atOnce)
                let made = Double(calls / atOnce * atOnce)
                samples[index][column].append((ProcessFacts.cpuMicroseconds() - before) / made)
            }
        }
    }
    let first = samples[0].map(median)
    for (index, contestant) in contestants.enumerated() {
        let cells = samples[index].map(median).enumerated().map { column, value in
            let ratio = value / first[column]
            return "\((value * 10).rounded() / 10) (× \((ratio * 100).rounded() / 100))"
        }
        print("| \(contestant.name) | \(cells.joined(separator: " | ")) |")
    }
}

/// Resident memory that an idle client adds: a transport that has made a call and keeps its connection.
func idle(_ unix: String) async throws {
    let address = try GatewayAddress(unix)
    var limits = TransportLimits()
    limits.idle = .seconds(600)
    var transports: [GatewayTransport] = []
    func add(_ count: Int) async throws {
        for _ in 0..<count {
            let transport = GatewayTransport(address, limits: limits)
            _ = try await transport.send(CallRequest(target), timeout: .seconds(30))
            transports.append(transport)
        }
    }
    try await add(1)
    let one = ProcessFacts.status("VmRSS")
    try await add(1000)
    let more = Double(ProcessFacts.status("VmRSS") - one) / 1000
    print("| idle clients | \(transports.count) |\n|---|--:|")
    print("| KiB resident for each | \((more * 10).rounded() / 10) |")
    print("| KiB resident with the first | \(one) |")
    print("| threads | \(ProcessFacts.status("Threads")) |")
}

/// Ten thousand calls that are all on their way, each on a connection of its own.
func flight(_ unix: String) async throws {
    var limits = TransportLimits()
    limits.connections = 10_000
    let transport = GatewayTransport(try GatewayAddress(unix), limits: limits)
    let idle = ProcessFacts.status("VmRSS")
    let before = ProcessFacts.cpuMicroseconds()
    var threads = 0
    var resident = 0
    try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<10_000 {
            group.addTask {
                let answer = try await transport.send(CallRequest("/slow?ms=20000"), timeout: .seconds(60))
                _ = try await answer.body.bytes(upTo: 1 << 16)
                return answer.status
            }
        }
        for try await status in group {
            guard status == 200 else { throw Contestant.Fault(name: "flight", status: status) }
            if threads == 0 {
                threads = ProcessFacts.status("Threads")
                resident = ProcessFacts.status("VmRSS") - idle
            }
        }
    }
    let cpu = (ProcessFacts.cpuMicroseconds() - before) / 10_000
    print("| calls on their way | 10000 |\n|---|--:|")
    print("| threads | \(threads) |")
    print("| KiB resident for each | \(Double(resident) / 10_000) |")
    print("| µs of CPU for each | \(cpu.rounded()) |")
}

let arguments = Array(CommandLine.arguments.dropFirst())
switch (arguments.first, arguments.count) {
case ("cpu", 3...):
    let calls = arguments.count > 3 ? Int(arguments[3]) ?? 20_000 : 20_000
    let rounds = arguments.count > 4 ? Int(arguments[4]) ?? 5 : 5
    try await cpu(arguments[1], arguments[2], calls: calls, rounds: rounds)
case ("idle", 2): try await idle(arguments[1])
case ("flight", 2): try await flight(arguments[1])
default: print("client-bench cpu http://HOST:PORT unix:PATH [CALLS [ROUNDS]] | idle unix:PATH | flight unix:PATH")
}
