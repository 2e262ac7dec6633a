internal import ArgumentParser
internal import Logging
internal import SluiceConfig
internal import SluiceContract

/// `--fixtures all|missing`.
enum FixtureWord: String, ExpressibleByArgument, CaseIterable {
    case all, missing
}

/// `--replay-missing problem|live`.
enum ReplayMissing: String, ExpressibleByArgument, CaseIterable {
    case problem, live
}

/// The source of a daemon's answers, as set on its command line, and whether they are recorded.
enum AnswerSource {
    case upstreams
    case fixtures(FixtureWord)
    case replay(String, missing: ReplayMissing)
    case recording(RecordingPlace)

    /// Where no upstream is asked, no secret is needed.
    var secrets: ConfigurationReader.Secrets {
        switch self {
        case .upstreams, .recording, .replay(_, missing: .live): .required
        case .fixtures(.missing): .reported
        case .fixtures(.all), .replay(_, missing: .problem): .ignored
        }
    }

    /// A page that has been read, as it is served.
    func serving(_ loaded: Loaded) throws(UnreadableFile) -> Loaded {
        var loaded = loaded
        guard let configuration = loaded.configuration else { return loaded }
        switch self {
        case .upstreams: break
        case .fixtures(.all): loaded.configuration = configuration.served(with: .all)
        case .fixtures(.missing): loaded.configuration = configuration.served(with: .missing)
        case .recording: loaded.configuration = configuration.recorded
        case .replay(let folder, let missing):
            let contents = try RecordingFolder(folder).read()
            if contents.recordings.exchanges.isEmpty, contents.mistakes.isEmpty {
                throw UnreadableFile(path: folder, reason: "there is no recorded exchange in it")
            }
            var recordings = contents.recordings
            recordings.missing = missing == .live ? .live : .problem
            loaded.mistakes += contents.mistakes
            loaded.configuration = contents.mistakes.isEmpty ? configuration.served(with: .replay(recordings)) : nil
        }
        return loaded
    }

    /// Logs that the answers do not come from upstreams.
    func tell(_ configuration: SluiceContract.Configuration, _ logger: Logger) {
        switch configuration.fixtures {
        case .off: break
        case .missing: logger.notice("fixtures answer where an upstream cannot be reached")
        case .all:
            logger.notice("fixtures answer; no upstream is asked")
            // A composed one answers out of its parts' fixtures.
            for binding in configuration.withFixturesInUse.bindings
            where binding.usualFixture == nil && binding.composition == nil {
                logger.warning(
                    "no fixture answers, and there is no type to make a value of",
                    metadata: ["binding": "\(binding.name)"])
            }
        case .replay(let recordings):
            logger.notice(
                "recorded exchanges answer",
                metadata: [
                    "exchanges": "\(recordings.exchanges.count)", "otherwise": "\(recordings.missing.rawValue)",
                ])
        }
    }

    /// Where exchanges are kept.
    func writer(_ logger: Logger) throws -> RecordingWriter? {
        guard case .recording(let place) = self else { return nil }
        return try RecordingWriter(place, logger)
    }
}
