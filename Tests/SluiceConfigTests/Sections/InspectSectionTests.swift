import SluiceContract
import Testing

@testable import SluiceConfig

@Suite struct InspectSectionTests {
    private static func settings(last: Int = 200, bodies: Int = 16 << 10) -> InspectSettings {
        var settings = InspectSettings()
        (settings.last, settings.bodyBytes) = (last, bodies)
        return settings
    }

    @Test(
        arguments: [
            ("false", nil), ("{}", settings()), ("", settings()), ("{last: 10}", settings(last: 10)),
            ("{bodies: 1KiB}", settings(bodies: 1024)), ("{last: 1, bodies: 0}", settings(last: 1, bodies: 0)),
        ] as [(String, InspectSettings?)])
    func reads(_ value: String, _ settings: InspectSettings?) {
        let configuration = Bench("inspect: \(value)\n").configuration()
        #expect(configuration.inspect == settings)
        #expect(Bench(Explain.yaml(configuration)).configuration().inspect == settings)
    }

    @Test func isOffByDefault() {
        #expect(Bench("{}\n").configuration().inspect == nil)
    }

    @Test(arguments: [
        ("{last: 0}", "1:17: "), ("{last: 1001}", "1:17: "), ("{bodies: 65KiB}", "1:19: "), ("yes please", "1:10: "),
        ("{lst: 5}", "1:11: "),
    ])
    func refuses(_ value: String, _ place: String) {
        let mistakes = Bench("inspect: \(value)\n").mistakes
        #expect(mistakes.count == 1 && mistakes.first?.hasPrefix(place) == true, "\(mistakes)")
    }

    /// Who reads the page as it is in force sees what it takes.
    @Test func theMemoryIsTold() {
        var configuration = Configuration()
        configuration.inspect = InspectSettings()
        #expect(configuration.inspect?.bytesMax == 50 << 20)
        #expect(Explain.yaml(configuration).contains("# Up to 50MiB of memory.\ninspect:\n"))
    }
}
