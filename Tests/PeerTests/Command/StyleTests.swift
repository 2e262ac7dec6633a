import Foundation
import Testing

/// Colours and widths.
@Suite struct StyleTests {
    private static let escape = "\u{1B}["

    /// Tests have no terminal, so that colours come by force alone, and NO_COLOR is stronger.
    @Test(
        arguments: [
            ([:], false), (["CLICOLOR_FORCE": "1"], true), (["CLICOLOR_FORCE": "0"], false),
            (["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], false), (["CLICOLOR_FORCE": "1", "NO_COLOR": ""], true),
        ] as [([String: String], Bool)])
    func colours(_ environment: [String: String], _ isColoured: Bool) throws {
        let environment = ["NO_COLOR": "", "CLICOLOR_FORCE": ""].merging(environment) { $1 }
        let folder = try TemporaryFolder()
        let bad = try folder.write("bindngs: {}\n", to: "bad.yaml")
        let check = try Daemon.run("check", bad, environment: environment)
        #expect(check.errors.contains(Self.escape + "1;31m") == isColoured, "\(check.errors)")
        #expect(check.errors.contains("\(bad):1:1:"))
        let good = try folder.write(HealthTests.configuration, to: "good.yaml")
        let routes = try Daemon.run("routes", good, environment: environment)
        #expect(routes.output.hasPrefix(Self.escape + "1m") == isColoured)
        #expect(!(try Daemon.run("check", "--json", bad, environment: environment)).output.contains(Self.escape))
    }

    static let wide = """
        upstreams:
          a-rather-long-upstream-name: {url: "https://fruit.example/a/base/path/of/some/length"}
        bindings:
          GET /orchards/{orchard}/trees/{tree}/fruits:
            to: a-rather-long-upstream-name /orchards/{orchard}/trees/{tree}/fruits/of/the/season
            params: {orchard: Int, tree: Int, limit: Int = 10, colors: [String], ripe: Bool = true, page: Int = 1}
            value: {name: String, size: Int, color: String}
          GET /b: {to: a-rather-long-upstream-name /b}
        """

    @Test(arguments: [60, 80, 100, 120]) func routesFitTheTerminal(_ width: Int) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Self.wide, to: "sluice.yaml")
        let output = try Daemon.run("routes", path, environment: ["COLUMNS": "\(width)"]).output
        // Words are not broken: what goes beyond is one of them alone, or an upstream's address.
        for line in output.split(separator: "\n") where line.count > width {
            let isWord = line.drop { $0 == " " }.hasPrefix("→ ") || line.contains(" = https://")
            #expect(isWord, "\(line)")
        }
        for word in ["/orchards/{orchard}/trees/{tree}/fruits", "limit: Int = 10 (query)", "ripe: Bool = true"] {
            #expect(output.contains(word), "\(output)")
        }
    }

    /// Nothing is cut or broken for programs.
    @Test func routesAreWholeWhenPiped() throws {
        let folder = try TemporaryFolder()
        let output = try Daemon.run("routes", folder.write(Self.wide, to: "sluice.yaml"), environment: ["COLUMNS": ""])
            .output
        let lines = output.split(separator: "\n")
        try #require(lines.count == 5, "\(output)")
        #expect(lines[1].contains("season {name: String") && !output.contains("…"))
        #expect(lines[2].contains("orchard: Int (path)") && lines[2].contains("page: Int = 1"))
    }

    /// The log of a daemon in a terminal, and never its JSON.
    @Test(arguments: [("text", true), ("json", false)]) func warningsOfTheLogStandOut(
        _ format: String, _ isColoured: Bool
    ) throws {
        let folder = try TemporaryFolder()
        let page = "listen: 127.0.0.1:0\nlog: {format: \(format)}\nbindings: {}\n"
        let process = try ChildProcess(
            [Daemon.binary, "serve", folder.write(page, to: "sluice.yaml")],
            environment: ["CLICOLOR_FORCE": "1", "NO_COLOR": ""])
        defer { process.end() }
        try Poll.until("it is up", holds: { process.errors.contains("listening on") })
        #expect(process.errors.contains("nothing is bound"))
        #expect(process.errors.contains(Self.escape + "1;33mwarning") == isColoured, "\(process.errors)")
    }
}
