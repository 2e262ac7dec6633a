import SluiceContract
import Testing

@testable import SluiceGateway

@Suite struct RouteTableTests {
    /// So many that looking at every binding, type or upstream for every other would not end.
    @Test func largeTablesAreMadeInOneGo() throws {
        let count = 4_000
        var configuration = Build.configuration([])
        let model = configuration.upstreams[0]
        configuration.upstreams = (0..<count).map { number in
            var upstream = model
            upstream.name = "u\(number)"
            return upstream
        }
        configuration.types = (0..<count).map {
            TypeDefinition(name: "T\($0)", type: $0 == 0 ? .scalar(.int) : .named("T\($0 - 1)"))
        }
        configuration.bindings = try (0..<count).map { number in
            try Build.binding("GET /r\(number)", to: "u\(number) /r") {
                $0.value = .array(.named("T\(number)"))
                $0.rate = number == 0 ? RateLimit(1, per: .seconds(1)) : nil
            }
        }
        let table = try RouteTable(configuration)
        #expect(table.routes.count == count)
        #expect(try RouteTable(configuration, after: table).routes[0].meter === table.routes[0].meter)
        #expect(table.routes[0].meter != nil)
    }
}
