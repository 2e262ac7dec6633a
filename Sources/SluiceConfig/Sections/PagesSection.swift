import SluiceContract
import SluiceRules

/// `pages:` of a binding: how one request of a client gathers all pages of a list.
enum PagesSection {
    static let section = Section(
        name: "binding.pages", summary: "What leads to the next page: one of \(ways.joined(separator: ", "))",
        keys: [
            .init("cursor", .path, "Path of a text that the next request has as a parameter"),
            .init(
                "connection", .path,
                "Path of a connection of Relay, whose pageInfo has endCursor and hasNextPage, with graphql"),
            .init("as", .text(), default: "after with connection", "The upstream's name of that parameter"),
            .init("next", .either([.choice(["link"]), .path]), "link for a Link field, or the path of a URL"),
            .init("offset", .text(), "A parameter that grows by step until a page is empty"),
            .init("step", .integer(PagePolicy.steps), "By how much"),
            .init("page", .text(), "A parameter that grows by one until a page is empty"),
            .init("more", .path, "Path of what says whether another page follows"),
            .init("last", .path, "Path of what says whether a page is the last one"),
            .init("total", .path, "Path of the number of all items"),
            .init("total-pages", .path, "Path of the number of all pages"),
            .init("items", .path, "The same as parent"),
            .init(
                "limit", .integer(PagePolicy.limits), default: String(PagePolicy.limitUsual),
                "Pages at most; another one is a failure"),
        ],
        bareKey: "next")

    private static let ways = ["cursor", "connection", "next", "offset", "page"]

    /// - Returns: the policy, and the path in `items:`.
    static func read(_ node: SourceNode, _ context: ReadingContext) -> (pages: PagePolicy, items: FieldPath?)? {
        var result: (pages: PagePolicy, items: FieldPath?)?
        Fields.read(node, section, context) { fields in
            let ways = ways.filter { fields.has($0) }
            if ways.count != 1 {
                context.findings.mistake(
                    at: node.place,
                    ways.isEmpty ? "nothing leads to the next page" : "several ways lead to the next page",
                    expected: "exactly one of \(Self.ways.joined(separator: ", "))")
            }
            let way = way(fields, context)
            let ending = ending(fields, context)
            var items: FieldPath?
            var limit = PagePolicy.limitUsual
            fields.set("items", &items, context.fieldPath)
            fields.set("limit", &limit) { context.integer($0, PagePolicy.limits) }
            guard var pages = way.map({ PagePolicy($0) }) else { return }
            pages.ending = ending
            pages.limit = limit
            result = (pages, items)
        }
        return result
    }

    /// How the last page is recognised.
    private static func ending(_ fields: Fields, _ context: ReadingContext) -> PagePolicy.Ending? {
        let names = PagePolicy.Ending.names.filter { fields.has($0) } + (fields.has("connection") ? ["connection"] : [])
        for name in names.dropFirst() {
            context.findings.mistake(
                at: fields.keyPlace(name), "'\(names[0])' and '\(name)' both say which page is the last one",
                expected: "one of them")
        }
        var ending: PagePolicy.Ending?
        for name in PagePolicy.Ending.names {
            fields.set(name, &ending) { context.fieldPath($0).flatMap { .init(name, $0) } }
        }
        if let connection = fields.node("connection").flatMap({ context.fieldPath($0) }) {
            ending = .more(connection.appending("pageInfo", "hasNextPage"))
        }
        return ending
    }

    private static func way(_ fields: Fields, _ context: ReadingContext) -> PagePolicy.Way? {
        var name: String?
        var step: Int?
        fields.set("as", &name) { context.text($0, what: "a parameter's name") }
        fields.set("step", &step) { context.integer($0, PagePolicy.steps) }
        let (cursor, next) = (fields.node("cursor"), fields.node("next"))
        let connection = fields.node("connection")
        let (offset, page) = (fields.node("offset"), fields.node("page"))
        func misplaced(_ key: String, beside other: String, _ advice: String? = nil) {
            context.findings.mistake(
                at: fields.keyPlace(key), "'\(key)' belongs to '\(other):'", expected: "no '\(key)'",
                suggestion: advice.map { .advice($0) })
        }
        if name != nil, cursor == nil, connection == nil {
            misplaced("as", beside: "cursor", "what is sent as a parameter is a cursor: {cursor: meta.next, as: page}")
        }
        if step != nil, offset == nil { misplaced("step", beside: "offset") }
        if let cursor {
            guard let name else {
                context.findings.mistake(
                    at: fields.keyPlace("cursor"), "nothing says how the cursor is sent",
                    expected: "the parameter's name as 'as:'")
                return nil
            }
            return context.fieldPath(cursor).map { .cursor($0, parameter: name) }
        }
        if let connection {
            // An invalid path has been reported where it was read first.
            guard let text = connection.text, let path = FieldPath(text) else { return nil }
            return .cursor(path.appending("pageInfo", "endCursor"), parameter: name ?? "after")
        }
        if let next { return self.next(next, context) }
        if let offset {
            guard let step else {
                context.findings.mistake(
                    at: fields.keyPlace("offset"), "nothing says by how much the offset grows",
                    expected: "the number of items on a page as 'step:'")
                return nil
            }
            return context.text(offset, what: "a parameter's name").map { .offset(parameter: $0, step: step) }
        }
        return page.flatMap { context.text($0, what: "a parameter's name") }.map { .page(parameter: $0) }
    }

    private static func next(_ node: SourceNode, _ context: ReadingContext) -> PagePolicy.Way? {
        if node.text == "link" { return .link }
        if let text = node.text, namesLink(text) {
            context.findings.mistake(
                at: node.place, "'\(text)' is a key of the page here", suggestion: .didYouMean("link"))
            return nil
        }
        return context.fieldPath(node).map { .url($0) }
    }

    /// Whether a text is a usual way to name the `Link` field; a key of this name is written from the root: `$.Link`.
    static func namesLink(_ text: String) -> Bool {
        let text = text.lowercased()
        return text == "link" || ["header ", "link ", "link;"].contains { text.hasPrefix($0) }
    }
}

extension FieldPath {
    fileprivate func appending(_ keys: String...) -> FieldPath {
        FieldPath(components: components + keys.map { .key($0) })
    }
}

extension BindingReader {
    mutating func readPages() {
        guard let node = fields.node("pages") else { return }
        guard let (pages, items) = PagesSection.read(node, context) else {
            return binding.settings.sayUnread("pages")
        }
        binding.settings.say("pages", \.pages, pages)
        guard let items else { return }
        if fields.has("parent") {
            context.findings.mistake(
                at: fields.keyPlace("parent"), "'items' and 'parent' say the same", expected: "one of them")
        }
        binding.settings.say("parent", \.parent, items)
    }
}

extension PagePolicy {
    func write(_ name: String, _ writer: inout YAMLWriter) {
        writer.mapping(name) { writer in
            switch way {
            case .cursor(let path, let parameter):
                writer.key("cursor", path.description)
                writer.key("as", parameter)
            case .link: writer.key("next", "link")
            case .url(let path):
                let text = path.description
                writer.key("next", PagesSection.namesLink(text) ? path.fromRoot : text)
            case .offset(let parameter, let step):
                writer.key("offset", parameter)
                writer.raw("step", String(step))
            case .page(let parameter): writer.key("page", parameter)
            }
            if let ending { writer.key(ending.name, ending.path.description) }
            writer.raw("limit", String(limit))
        }
    }
}
