internal import ArgumentParser
internal import SluiceContract

/// Names of fields to leave out of recordings, and to keep.
struct RecordingNameOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A field, or a member of bodies or queries, that is left out as well; may stand several times.",
            valueName: "name"))
    var without: [String] = []

    @Option(
        help: ArgumentHelp(
            "A member of answers that is kept, though it sounds like a credential, such as pin; may stand several "
                + "times.", valueName: "name"))
    var keep: [String] = []

    @Option(
        help: ArgumentHelp(
            "A member of queries or of bodies of requests that is kept and compared, though it sounds like a "
                + "credential, such as sort_key; may stand several times.", valueName: "name"))
    var compare: [String] = []

    var names: RecordingNames {
        RecordingNames(leftOut: Set(without), kept: Set(keep), compared: Set(compare).subtracting(without))
    }
}
