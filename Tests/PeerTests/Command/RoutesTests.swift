import Foundation
import Testing

/// `sluice routes`.
@Suite struct RoutesTests {
    static let configuration = """
        upstreams:
          fruit: {url: "https://fruit.example/v1", bearer: {value: secret-token}}
        types:
          Fruit: {name: String, size: Int}
        bindings:
          GET /fruits/{id}:
            to: fruit POST /find/{id}
            params: {id: Int, deep: Bool = false}
            value: Fruit
            cache: {}
          ANY /raw/**: {to: fruit /**, bearer: false}
        """

    @Test func aTableFitsATerminal() throws {
        let folder = try TemporaryFolder()
        let command = try Daemon.run("routes", folder.write(Self.configuration, to: "sluice.yaml"))
        #expect(command.exitStatus == 0)
        let lines = command.output.split(separator: "\n")
        try #require(lines.count == 5, "\(command.output)\(command.errors)")
        #expect(lines.allSatisfy { $0.count <= 100 })
        #expect(lines[0].hasPrefix("METHOD PATH"))
        #expect(lines[1].hasPrefix("GET    /fruits/{id} → fruit POST /v1/find/{id} Fruit"))
        #expect(lines[1].hasSuffix("bearer, cached"))
        #expect(lines[2].contains("id: Int (path), deep: Bool = false"))
        #expect(lines[3].hasSuffix("as it comes"))
        #expect(lines[4] == "fruit = https://fruit.example/v1")
        #expect(!command.output.contains("secret-token"))
    }

    @Test func jsonIsForPrograms() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Self.configuration, to: "sluice.yaml")
        let command = try Daemon.run("routes", "--json", "--config", path)
        let document = try JSONSerialization.jsonObject(with: Data(command.output.utf8)) as? [String: Any]
        let bindings = try #require(document?["bindings"] as? [[String: Any]])
        #expect(bindings.map { $0["path"] as? String } == ["/fruits/{id}", "/raw/**"])
        #expect(bindings.map { $0["cache"] as? Bool } == [true, false])
        #expect(bindings.map { $0["bearer"] as? Bool } == [true, false])
    }

    /// What stands under the name of a credential is shown in neither, and types by status are told.
    @Test func nothingSecretIsShown() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(
            """
            upstreams: {fruit: {url: "https://fruit.example"}}
            bindings:
              GET /a:
                to: fruit /a
                params: {api_key: {fixed: s3cret}, k: {type: String, as: token, default: s3cret}, limit: Int = 7}
                value: {200: Int, 404: String}
            """, to: "sluice.yaml")
        let table = try Daemon.run("routes", path)
        #expect(table.output.contains("api_key: String = \"***\" (fixed)") && table.output.contains("limit: Int = 7"))
        #expect(table.output.contains("by status"))
        let json = try Daemon.run("routes", "--json", path)
        #expect(json.output.contains(#""default":"***","fixed":true"#) && json.output.contains(#""default":7"#))
        let explained = try Daemon.run("check", "--skip-ports", "--explain", path)
        for output in [table.output, json.output, explained.output] { #expect(!output.contains("s3cret")) }
    }
}
