import SluiceContract
import Testing

@testable import SluiceRules

/// What is inherited: defaults, then the upstream, then the binding.
@Suite struct LayerTests {
    private static func declaration(_ edit: (inout ConfigurationDeclaration) -> Void) -> ConfigurationDeclaration {
        let path = PathTemplate(segments: [[.text("a")]], hasRest: false)
        var declaration = ConfigurationDeclaration()
        declaration.upstreams = [
            UpstreamDeclaration("fruit", [.init(.tcp(host: "127.0.0.1", port: 80, tls: false))])
        ]
        declaration.bindings = [
            BindingDeclaration("GET /a", methods: ["GET"], path: path, target: .init("fruit", path: path))
        ]
        declaration.bindings[0].settings.say("value", \.value, .scalar(.int))
        edit(&declaration)
        return declaration
    }

    @Test func laterLayersWin() {
        let checked = Self.declaration {
            $0.bindingDefaults.set(\.holdBytes, to: 1)
            $0.bindingDefaults.set(\.reportCount, to: 1)
            $0.upstreams[0].bindings.set(\.reportCount, to: 2)
            $0.bindings[0].settings.set(\.early, to: true)
        }.checked()
        let binding = checked.configuration.bindings[0]
        #expect(checked.findings == [])
        #expect((binding.holdBytes, binding.reportCount, binding.early) == (1, 2, true))
    }

    /// Parts are inherited key by key, and say of what depends on others.
    @Test func partsAreMerged() {
        let checked = Self.declaration {
            $0.bindingDefaults.merge(\.retry) { $0.set(\.attempts, to: 5) }
            $0.upstreams[0].bindings.merge(\.retry) { $0.set(\.backoff, to: .seconds(9)) }
            $0.upstreamDefaults.set(\.pauseMax, to: .zero)
            $0.bindings[0].settings.merge(\.cache) { $0.set(\.isPrivate, to: true) }
        }.checked()
        let retry = checked.configuration.bindings[0].retry
        #expect(retry?.attempts == 5)
        #expect((retry?.backoff, retry?.backoffMax) == (.seconds(9), .seconds(9)))
        #expect(checked.configuration.bindings[0].cache?.isPrivate == true)
        #expect(checked.configuration.upstreams[0].pauseMax == .zero)
    }

    /// What is wrong is told where it is said, and once.
    @Test func mistakesAreToldWhereTheyAreMade() {
        let findings = Self.declaration {
            $0.upstreams[0].bindings.merge(\.retry) {
                $0.set(\.backoff, to: .seconds(2))
                $0.set(\.backoffMax, to: .seconds(1))
            }
            $0.bindingDefaults.set(\.reportCount, to: 0)
        }.checked().findings
        #expect(
            findings.map { "\($0.path): \($0.message)" } == [
                "defaults.report: 0 is out of range",
                "upstreams.fruit.retry.backoff: 'backoff' is longer than 'backoff-max'",
            ])
    }

    /// What is inherited and has no meaning for a binding is left out in silence; what it says itself is not.
    @Test func whatIsInheritedIsNoMistake() {
        func checked(_ edit: (inout ConfigurationDeclaration) -> Void) -> ConfigurationDeclaration.Checked {
            Self.declaration {
                $0.bindings[0].methods = ["POST"]
                edit(&$0)
            }.checked()
        }
        let inherited = checked { $0.bindingDefaults.set(\.hedge, to: .percentile(95)) }
        #expect(inherited.findings == [])
        #expect(inherited.configuration.bindings[0].hedge == nil)
        let own = checked { $0.bindings[0].settings.set(\.hedge, to: .percentile(95)) }
        #expect(own.findings.map(\.message.description) == ["POST cannot be sent twice"])
    }

    /// A slip of the notation is told by the reader; what would follow from it is not.
    @Test func whatCouldNotBeReadIsSaid() {
        let checked = Self.declaration {
            $0.bindings[0].settings = Layer()
            $0.bindings[0].settings.sayUnread("value")
            $0.bindings[0].settings.say("parent", \.parent, FieldPath("a"))
            $0.isWhole = false
        }.checked()
        #expect(checked.findings == [])
    }

    @Test func layersKnowWhatTheySay() {
        var layer = Layer<Binding>()
        layer.merge(\.cache) { $0.set(\.fresh, to: .seconds(1)) }
        layer.sayUnread("hold")
        #expect(layer.names == ["cache", "hold"])
        #expect(layer.says("cache", "fresh") && !layer.says("cache", "vary") && !layer.says("early"))
        #expect(layer.says("hold") && !layer.tells("hold"))
    }
}
