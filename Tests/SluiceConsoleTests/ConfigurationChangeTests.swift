import SluiceConsole
import Testing

@Suite struct ConfigurationChangeTests {
    @Test func settingsAreComparedByTheirKeys() {
        let old = [(key: "drain", value: "30s"), (key: "log.level", value: "info"), (key: "loops", value: "2")]
        let new = [(key: "drain", value: "30s"), (key: "log.level", value: "debug"), (key: "state", value: "/x")]
        #expect(
            ConfigurationChange.between(old, new) == [
                ConfigurationChange(key: "log.level", before: "info", after: "debug"),
                ConfigurationChange(key: "state", before: nil, after: "/x"),
                ConfigurationChange(key: "loops", before: "2", after: nil),
            ])
        #expect(ConfigurationChange.between(old, old) == [])
    }
}
