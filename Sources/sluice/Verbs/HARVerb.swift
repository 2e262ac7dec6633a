internal import ArgumentParser
internal import SluiceConfig
internal import SluiceContract
internal import SluiceFiles

/// `sluice har`: recordings from and to HTTP archives.
struct HARVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "har",
        abstract: "Turn HTTP archives (HAR 1.2) into recordings, and back.",
        discussion: """
            Exit codes: 0 done, 1 archive, recordings or configuration have mistakes, or nothing was taken, 2 one of \
            them cannot be read, 64 the command line was not understood.
            """,
        subcommands: [HARImportVerb.self, HARExportVerb.self])
}

/// `sluice har import`.
struct HARImportVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Make recordings of an archive that a browser or a proxy has written.",
        discussion: """
            Takes what was asked of the page's upstreams, by their URLs, and leaves out what 'sluice record' leaves \
            out. What cannot be replayed is left aside, and told. 'sluice serve --replay FOLDER' answers with it.

              sluice har import page.har --to recordings --config sluice.yaml

            Exit codes: 0 done, 1 nothing was taken, the page has mistakes or the folder cannot be written, 2 a file \
            cannot be read, 64 the command line was not understood.
            """)

    @Argument(help: ArgumentHelp("The archive.", valueName: "file"), completion: .file(extensions: ["har"]))
    var archive: String

    @Option(help: ArgumentHelp("The folder.", valueName: "folder"), completion: .directory)
    var to: String

    @OptionGroup var page: ConfigurationOption

    @OptionGroup var which: RecordingNameOptions

    func run() throws {
        let configuration = try ConfigurationFile(page.path, secrets: .ignored).configuration()
        let document: HARDocument
        do {
            let bytes = try FileReader.contents(of: archive, mayWait: true)
            document = try HARDocument.read(bytes)
        } catch let error as FileReader.Failure {
            throw Say.failure("sluice: \(archive): cannot be read: \(error)", code: 2)
        } catch {
            let reason = HARDocument.reason(error)
            throw Say.failure(
                "sluice: \(archive): this is no HTTP archive: \(reason); save it in the browser as HAR with content")
        }
        let outcome = HARImport(configuration).read(document, which.names)
        for line in outcome.skipped { Say.error("sluice: not taken: \(line)", .warning) }
        do {
            let output = try RecordingOutput(to)
            for exchange in outcome.exchanges { try output.write(exchange) }
        } catch {
            throw Say.failure("sluice: \(error)")
        }
        Say.print("\(Count.words(outcome.exchanges.count, "exchange")) in \(to)")
        if outcome.exchanges.isEmpty { throw ExitCode(1) }
    }
}

/// `sluice har export`.
struct HARExportVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write recordings as an archive, for programs that read such.",
        discussion: """
            The archive goes to standard output.

              sluice har export recordings > exchanges.har

            Exit codes: 0 done, 1 a recording has mistakes or the output cannot be written, 2 the folder cannot be \
            read, 64 the command line was not understood.
            """)

    @Argument(help: ArgumentHelp("The folder.", valueName: "folder"), completion: .directory)
    var folder: String

    func run() throws {
        let contents: RecordingFolder.Contents
        do throws(UnreadableFile) {
            contents = try RecordingFolder(folder).read()
        } catch {
            throw Say.failure("sluice: \(error)", code: 2)
        }
        if !contents.mistakes.isEmpty { throw Report.failure(contents.mistakes) }
        if contents.recordings.exchanges.isEmpty {
            Say.error("sluice: \(folder): there is no recorded exchange in it", .warning)
        }
        Say.print(HARExport.text(contents.recordings, version: Release.version))
    }
}
