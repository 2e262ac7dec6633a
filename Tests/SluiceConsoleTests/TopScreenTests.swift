import Testing

@testable import SluiceConsole

@Suite struct TopScreenTests {
    /// The lines of a frame, without what does not show.
    private static func lines(_ screen: TopScreen) -> [String] {
        var text = String(decoding: screen.frame, as: UTF8.self)
        #expect(text.hasPrefix("\u{1B}[H") && text.hasSuffix("\u{1B}[K\u{1B}[J"))
        #expect(!text.contains("\u{1B}[2J"), "it would flicker")
        while let start = text.firstIndex(of: "\u{1B}") {
            let end = text[start...].dropFirst(2).firstIndex { $0.isLetter } ?? text.index(before: text.endIndex)
            text.removeSubrange(start...end)
        }
        return text.split(separator: "\r\n" as Character, omittingEmptySubsequences: false).map(String.init)
    }

    private static func screen(columns: Int = 80, rows: Int = 24, _ facts: TopScreen.Fact...) -> TopScreen {
        var screen = TopScreen(isColoured: false)
        for fact in [.resized(columns: columns, rows: rows)] + facts { _ = screen.take(fact) }
        return screen
    }

    private static func told(_ time: Double, busy: Int, failed: Int = 0, isDown: Bool = false) -> TopScreen.Fact {
        .told(MetricsSample.snapshot(at: time, busy: busy, failed: failed, isDown: isDown))
    }

    private static func names(_ screen: TopScreen) -> [String] {
        lines(screen).dropLast().filter { $0.hasPrefix("GET ") }.map { String($0.prefix(9)) }
    }

    private static func words(_ line: String) -> String { line.split(separator: " ").joined(separator: " ") }

    @Test func showsRatesAndHealth() {
        let screen = Self.screen(
            Self.told(50, busy: 100, failed: 4), Self.told(52, busy: 300, failed: 8, isDown: true))
        let lines = Self.lines(screen)
        #expect(lines[0] == "sluice 9.8  up 1 min  102 requests/s  2.0 % errors  25.0 % hits")
        #expect(lines[1] == "3 under way  0 clients  12 stored (4.0 KiB)  0 drifted")
        #expect(Self.words(lines[3]) == "BINDING ▼RATE P50 P99 ERRORS HITS TOTAL")
        #expect(Self.words(lines[4]) == "GET /busy 100 10.0 ms 98.2 ms 0 % 25.0 % 300")
        #expect(Self.words(lines[5]) == "GET /slow 2.00 - - 100 % - 8")
        #expect(lines[3...5].allSatisfy { $0.count == 80 })
        let upstreams = lines.filter { $0.hasPrefix("fruit") }
        #expect(upstreams.count == 2 && upstreams[0].contains(" down ") && upstreams[1].contains(" part open "))
        #expect(lines.count == 24 && lines[23].hasPrefix("↑↓ select"))
    }

    @Test(arguments: [(80, 24), (40, 10), (20, 5), (200, 60), (1, 1), (5, 3), (60, 12)])
    func fitsTheTerminal(_ columns: Int, _ rows: Int) {
        let screen = Self.screen(columns: columns, rows: rows, Self.told(1, busy: 5000, failed: 3, isDown: true))
        let lines = Self.lines(screen)
        #expect(lines.count == rows)
        #expect(lines.allSatisfy { $0.count <= columns }, "\(lines)")
    }

    @Test func sortsByTheChosenColumn() {
        var screen = Self.screen(Self.told(1, busy: 5, failed: 50))
        #expect(Self.names(screen) == ["GET /slow", "GET /busy", "GET /idle"])
        _ = screen.take(.pressed(.left))
        #expect(Self.names(screen) == ["GET /busy", "GET /idle", "GET /slow"])
        _ = screen.take(.pressed(.left))
        #expect(Self.lines(screen)[3].hasPrefix("BINDING▲"), "there is nothing further left")
        _ = screen.take(.pressed(.character("r")))
        #expect(Self.names(screen) == ["GET /slow", "GET /idle", "GET /busy"])
        for _ in 0..<4 { _ = screen.take(.pressed(.right)) }
        #expect(Self.names(screen).first == "GET /slow" && Self.lines(screen)[3].contains("▼ERRORS"))
    }

    @Test func filters() {
        var screen = Self.screen(Self.told(1, busy: 5))
        for key in "/SLO".map({ TerminalKey.character($0) }) { _ = screen.take(.pressed(key)) }
        #expect(Self.names(screen) == ["GET /slow"] && Self.lines(screen).last == "/SLO▏")
        _ = screen.take(.pressed(.character("q")))
        #expect(Self.names(screen) == [] && Self.lines(screen).last == "/SLOq▏")
        _ = screen.take(.pressed(.backspace))
        _ = screen.take(.pressed(.enter))
        #expect(Self.lines(screen).last?.hasPrefix("filter: SLO") == true)
        _ = screen.take(.pressed(.escape))
        #expect(Self.names(screen).count == 3)
        let goesOn = screen.take(.pressed(.character("q")))
        #expect(!goesOn)
    }

    @Test func pausesAndGoesOn() {
        var screen = Self.screen(Self.told(1, busy: 5), .pressed(.character(" ")))
        let paused = Self.lines(screen)
        #expect(paused[0].hasPrefix("sluice 9.8  PAUSED"))
        _ = screen.take(Self.told(2, busy: 1000))
        #expect(Self.lines(screen)[4] == paused[4])
        _ = screen.take(.pressed(.character(" ")))
        _ = screen.take(Self.told(3, busy: 1500))
        #expect(Self.lines(screen)[4].contains(" 500 "), "since the page before, and not since the pause")
    }

    @Test func whatIsSelectedStaysInView() {
        var screen = Self.screen(rows: 7, Self.told(1, busy: 5, failed: 50))
        #expect(Self.names(screen) == ["GET /slow", "GET /busy"])
        _ = screen.take(.pressed(.end))
        #expect(Self.names(screen) == ["GET /busy", "GET /idle"])
        #expect(Self.lines(screen).last == "GET /idle   q quit")
        let frame = String(decoding: screen.frame, as: UTF8.self)
        #expect(frame.ranges(of: "\u{1B}[7m").count == 1 && frame.contains("\u{1B}[7mGET /idle"))
        for _ in 0..<5 { _ = screen.take(.pressed(.up)) }
        #expect(Self.names(screen).first == "GET /slow")
    }

    @Test func tellsOfADaemonThatIsGone() {
        var screen = Self.screen(Self.told(1, busy: 5), .failed("no\u{1B}body"))
        #expect(Self.lines(screen)[1] == "no?body" && Self.names(screen).count == 3)
        _ = screen.take(Self.told(2, busy: 6))
        #expect(Self.lines(screen)[1].hasPrefix("3 under way"))
        #expect(Self.lines(Self.screen(.failed("nobody")))[0] == "sluice  waiting for the daemon")
    }

    @Test func colourIsForThoseWhoWantIt() {
        var screen = TopScreen(isColoured: true)
        _ = screen.take(Self.told(1, busy: 5, failed: 1))
        #expect(String(decoding: screen.frame, as: UTF8.self).contains("\u{1B}[1;31m"))
        let plain = Self.screen(Self.told(1, busy: 5, failed: 1))
        #expect(!String(decoding: plain.frame, as: UTF8.self).contains("\u{1B}[1;31m"))
    }

    @Test func oneTableForScripts() {
        let text = TopScreen.table(MetricsSample.snapshot(at: 1, busy: 300, failed: 8))
        let lines = text.split(separator: "\n")
        #expect(
            lines.map { $0.split(separator: " ").first } == [
                "BINDING", "GET", "GET", "GET", "UPSTREAM", "fruit", "fruit",
            ])
        #expect(lines[1].contains("3.00") && lines[1].hasSuffix("300") && !text.contains("\u{1B}"))
    }
}
