internal import SluiceContract
internal import Glibc

/// How lines of the log look where they go to: text or JSON, in colours on a terminal, with their levels in the
/// journal.
struct LogShape {
    private let isJSON: Bool
    private let isColoured: Bool
    /// Whether the lines go to the journal, which takes the level from the beginning of each line.
    private let isJournal: Bool

    /// - Parameter descriptor: what is written to; `auto` means text where it is a terminal.
    init(_ format: LogSettings.Format, descriptor: Int32) {
        isJSON =
            switch format {
            case .auto: isatty(descriptor) == 0
            case .text: false
            case .json: true
            }
        isColoured = TerminalColour.isWanted(on: descriptor)
        isJournal = JournalStream.isDescriptor(descriptor)
    }

    func bytes(of line: LogLine) -> [UInt8] {
        let bytes = isJSON ? line.json() : line.text(isColoured: isColoured)
        return isJournal ? Array(JournalStream.Level(line.level).prefix.utf8) + bytes : bytes
    }
}
