import Foundation

/// What is said between a client, the gateway and an API, written down in one text:
///
///     === a title
///     --> GET /fruits                 what the client sends: fields, an empty line, content
///     ~~> GET /v1/fruits              what the API has to be asked: these fields among others, this content
///     <~~ 200                         what it answers
///     <-- 200                         what the client has to get: these fields among others, this content
///
/// Empty lines at the end of a content are none of it; `\n` at its end is a line feed.
struct ExchangeScript {
    struct Message: Equatable {
        /// `GET /fruits`, or `200`.
        var start: String
        var fields: [String] = []
        var content = ""
    }

    struct Scene {
        var title: String
        var sent: Message
        /// What the API is asked and answers, in this order.
        var upstream: [(asked: Message, answered: Message)]
        var received: Message
    }

    private(set) var scenes: [Scene] = []

    init(_ text: String) throws {
        for part in ("\n" + text).components(separatedBy: "\n=== ").dropFirst() {
            let lines = part.components(separatedBy: "\n")
            var messages: [(mark: String, message: Message)] = []
            var isInContent = false
            for line in lines.dropFirst() {
                if let mark = Self.marks.first(where: { line.hasPrefix($0 + " ") }) {
                    messages.append((mark, Message(start: String(line.dropFirst(mark.count + 1)))))
                    isInContent = false
                } else if messages.isEmpty {
                    continue
                } else if isInContent {
                    messages[messages.count - 1].message.content += line + "\n"
                } else if line.isEmpty {
                    isInContent = true
                } else {
                    messages[messages.count - 1].message.fields.append(line)
                }
            }
            scenes.append(try Self.scene(lines[0], messages.map { ($0.mark, Self.trimmed($0.message)) }))
        }
    }

    private static let marks = ["-->", "~~>", "<~~", "<--"]

    private static func trimmed(_ message: Message) -> Message {
        var message = message
        while message.content.hasSuffix("\n") { message.content.removeLast() }
        if message.content.hasSuffix("\\n") { message.content = message.content.dropLast(2) + "\n" }
        return message
    }

    private static func scene(_ title: String, _ messages: [(mark: String, message: Message)]) throws -> Scene {
        guard let first = messages.first, let last = messages.last, first.mark == "-->", last.mark == "<--",
            messages.count % 2 == 0
        else { throw HarnessError("'\(title)' is no exchange") }
        var upstream: [(Message, Message)] = []
        for index in stride(from: 1, to: messages.count - 1, by: 2) {
            let (asked, answered) = (messages[index], messages[index + 1])
            guard asked.mark == "~~>", answered.mark == "<~~" else { throw HarnessError("'\(title)' is out of order") }
            upstream.append((asked.message, answered.message))
        }
        return Scene(title: title, sent: first.message, upstream: upstream, received: last.message)
    }
}
