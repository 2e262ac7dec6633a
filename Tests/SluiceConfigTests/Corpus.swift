import SluiceContract
import SluiceRules
import Testing

@testable import SluiceConfig

/// What holds for every page that any test reads.
enum Corpus {
    static func check(_ loaded: Loaded, _ bench: Bench) {
        let findings = Findings(file: bench.reader.path, text: bench.yaml)
        guard let page = SourceDocument.root(findings), !page.isNull else { return }
        let root = IncludedPages(bench.reader, findings).added(to: page)
        let declaration = RootSection.read(root, ReadingContext(reader: bench.reader, findings: findings))
        let checked = declaration.checked()
        checkPlaces(checked.findings, SourceIndex(root), loaded)
        if let configuration = loaded.configuration {
            #expect(checked.configuration == configuration, "the same page is the same values")
            checkValues(configuration)
        }
    }

    /// Each finding of the values is told with its place in the file.
    private static func checkPlaces(_ findings: [Finding], _ source: SourceIndex, _ loaded: Loaded) {
        let told = Dictionary(grouping: loaded.mistakes + loaded.warnings) {
            SourceNode.Place(line: $0.line, column: $0.column)
        }
        for finding in findings {
            let place = source.place(of: finding)
            let message = finding.message.text { "line \(source.keyPlace(of: $0).line)" }
            let isTold = told[SourceNode.Place(line: place.line, column: place.column)]?.contains {
                $0.message == message || $0.message.contains(Explain.redacted)
            }
            #expect(isTold == true, "\(finding) at \(place.line):\(place.column)")
            #expect(!finding.path.description.isEmpty, "\(finding)")
        }
    }

    /// The values alone, said anew without a file, are right and mean the same.
    private static func checkValues(_ configuration: Configuration) {
        let again = ConfigurationDeclaration(configuration).checked()
        #expect(again.mistakes.map(\.description) == [])
        #expect(again.configuration == configuration)
    }
}
