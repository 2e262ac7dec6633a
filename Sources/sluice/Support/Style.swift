internal import SluiceIO
internal import Glibc

/// Text as it looks on standard output or standard error.
struct Style {
    private let isColoured: Bool

    static let output = Style(STDOUT_FILENO)
    static let error = Style(STDERR_FILENO)

    private init(_ descriptor: Int32) {
        isColoured = TerminalColour.isWanted(on: descriptor)
    }

    func bold(_ text: String) -> String { paint(text, .bold) }
    func red(_ text: String) -> String { paint(text, .red) }
    func yellow(_ text: String) -> String { paint(text, .yellow) }
    func green(_ text: String) -> String { paint(text, .green) }

    private func paint(_ text: String, _ colour: TerminalColour) -> String { isColoured ? colour.paint(text) : text }
}
