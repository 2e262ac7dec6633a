import SluiceContract
import SluiceJSON
import SluiceRules

/// `include:`: further pages, whose upstreams, types, bindings and other names are added to those of the page.
struct IncludedPages {
    private let reader: ConfigurationReader
    private let findings: Findings
    /// The folder of the page, with a slash at its end; empty for the current folder.
    private let folder: String

    /// The most pages of one configuration.
    static let countMax = 500
    /// The most bytes of all included pages together.
    static let bytesMax = ConfigurationReader.bytesMax
    /// The most folders on the way from the folder of the page to an included one.
    static let foldersMax = 8
    /// Keys of included pages: those with names below them, which can be merged. Settings belong on the main page only.
    static let keys = ["upstreams", "types", "bindings", "groups", "clients", "credentials"]

    init(_ reader: ConfigurationReader, _ findings: Findings) {
        self.reader = reader
        self.findings = findings
        folder = reader.path.lastIndex(of: "/").map { String(reader.path[...$0]) } ?? ""
    }

    /// - Returns: the page merged with the pages that it includes.
    func added(to root: SourceNode) -> SourceNode {
        guard let node = root.value("include"), case .mapping(var mapping) = root.content else { return root }
        let context = ReadingContext(reader: reader, findings: findings)
        var paths: [(path: String, place: SourceNode.Place)] = []
        for item in context.items(node) {
            // An item that is not a text is reported when the page is read.
            guard let name = item.text, !item.isNull, !name.contains("$") else { continue }
            for path in self.paths(name, item.place) where !paths.contains(where: { $0.path == path }) {
                paths.append((path, item.place))
            }
        }
        if paths.count > Self.countMax {
            findings.mistake(
                at: node.place, "\(paths.count) included pages", expected: "\(Self.countMax) at most",
                suggestion: .advice("join some of them"))
            return root
        }
        var bytesLeft = Self.bytesMax
        for (path, place) in paths {
            guard let page = page(path, place, &bytesLeft) else { continue }
            add(page, to: &mapping)
        }
        var root = root
        root.content = .mapping(mapping)
        return root
    }

    // MARK: - Which

    private func paths(_ name: String, _ place: SourceNode.Place) -> [String] {
        let parts = name.split(separator: "/", omittingEmptySubsequences: true).map(String.init)
        guard !name.hasPrefix("/"), let last = parts.last, !parts.contains("..") else {
            findings.mistake(
                at: place, "'\(name)' does not stand below the folder of this page",
                expected: "a relative path without '..', such as bindings/*.yaml")
            return []
        }
        if refuses(folderCount: parts.count - 1, of: name, place) { return [] }
        if parts.dropLast().contains(where: { $0.contains("*") }) {
            findings.mistake(at: place, "a '*' stands in the name of a folder", expected: "one in the last part alone")
            return []
        }
        let before = folder + parts.dropLast().map { $0 + "/" }.joined()
        if last.contains("*") { return matches(last, in: before, name, place) }
        if case .success = reader.surroundings.names(before + last) {
            // The last part is a folder, too.
            if refuses(folderCount: parts.count, of: name, place) { return [] }
            return matches(nil, in: before + last + "/", name, place)
        }
        return [before + last]
    }

    /// Whether a name leads through too many folders, which is reported.
    private func refuses(folderCount: Int, of name: String, _ place: SourceNode.Place) -> Bool {
        guard folderCount > Self.foldersMax else { return false }
        findings.mistake(
            at: place, "'\(name)' goes through \(folderCount) folders", expected: "\(Self.foldersMax) at most")
        return true
    }

    /// - Parameter pattern: nil for every page.
    private func matches(
        _ pattern: String?, in folder: String, _ name: String, _ place: SourceNode.Place
    ) -> [String] {
        switch reader.surroundings.names(folder.isEmpty ? "." : String(folder.dropLast())) {
        case .failure(let unreadable):
            findings.mistake(
                at: place, "folder '\(unreadable.path)' cannot be read: \(unreadable.reason)",
                expected: "a folder below that of this page")
            return []
        case .success(let names):
            let found = names.filter { name in
                if name.hasPrefix(".") || folder + name == reader.path { return false }
                return pattern.map { Self.fits(name, $0) } ?? (name.hasSuffix(".yaml") || name.hasSuffix(".yml"))
            }
            if found.isEmpty {
                findings.warning(
                    at: place, "'\(name)' includes nothing",
                    expected: pattern.map { "files with names like \($0)" } ?? "files that end with .yaml or .yml")
            }
            return found.sorted().map { folder + $0 }
        }
    }

    /// A `*` stands for any characters.
    static func fits(_ name: String, _ pattern: String) -> Bool {
        let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
        guard let first = parts.first, let last = parts.last, parts.count > 1 else { return name == pattern }
        guard name.hasPrefix(first) else { return false }
        var rest = name.dropFirst(first.count)
        for part in parts.dropFirst().dropLast() {
            guard let range = rest.firstRange(of: part) else { return false }
            rest = rest[range.upperBound...]
        }
        return rest.hasSuffix(last) && rest.count >= last.count
    }

    // MARK: - What stands there

    /// - Parameter place: the place of the `include:` item.
    private func page(_ path: String, _ place: SourceNode.Place, _ bytesLeft: inout Int) -> SourceNode? {
        guard isBelow(path) else {
            findings.mistake(
                at: place, "'\(path)' leads out of the folder of this page", expected: "a file, or a link, below it")
            return nil
        }
        let bytes: [UInt8]
        switch reader.surroundings.contents(path) {
        case .failure(let unreadable):
            // A name without the ending of a page may be meant as a folder's.
            let isFile = path.hasSuffix(".yaml") || path.hasSuffix(".yml")
            findings.mistake(
                at: place, "\(isFile ? "file" : "file or folder") '\(path)' cannot be read: \(unreadable.reason)",
                expected: isFile ? "a readable file" : "a readable file or folder")
            return nil
        case .success(let found): bytes = found
        }
        bytesLeft -= bytes.count
        if bytesLeft < 0 {
            findings.mistake(
                at: place, "the included pages are too large at '\(path)'",
                expected: "\(Quantity.text(bytes: Self.bytesMax)) in all")
            return nil
        }
        let own = Findings(file: path, text: String(decoding: bytes, as: UTF8.self))
        let root = ConfigurationReader.root(of: bytes, own)
        let number = findings.adopt(own)
        return root?.onPage(number)
    }

    /// Whether a file is in the folder of the page, or below, after all links are followed.
    private func isBelow(_ path: String) -> Bool {
        guard let root = reader.surroundings.target(folder.isEmpty ? "." : folder),
            let target = reader.surroundings.target(path)
        else { return reader.surroundings.target(path) == nil }
        return target.hasPrefix(root.hasSuffix("/") ? root : root + "/")
    }

    private func add(_ page: SourceNode, to mapping: inout SourceNode.Mapping) {
        guard let entries = page.entries else {
            findings.mistake(
                at: page.place, "\(page.kind) where a mapping is wanted",
                expected: "one of the keys " + Self.keys.joined(separator: ", "))
            return
        }
        var seen: [String: SourceNode] = [:]
        for entry in entries {
            if let key = entry.key.text, let earlier = seen.updateValue(entry.key, forKey: key) {
                ReadingContext(reader: reader, findings: findings).repeated(key, entry.key, earlier: earlier)
                continue
            }
            guard let key = entry.key.text, Self.keys.contains(key) else {
                if entry.key.text?.hasPrefix("x-") != true { refuse(entry.key) }
                continue
            }
            if entry.value.isNull { continue }
            guard let added = entry.value.entries else {
                findings.mistake(
                    at: entry.value.place, "\(entry.value.kind) where a mapping is wanted",
                    expected: "\(key) by their names")
                continue
            }
            let index = mapping.entries.firstIndex { $0.key.text == key }
            guard let index, case .mapping(var known) = mapping.entries[index].value.content else {
                // A value that is not a mapping is reported when it is read.
                if index == nil || mapping.entries[index ?? 0].value.isNull {
                    mapping.entries.removeAll { $0.key.text == key }
                    mapping.entries.append(entry)
                }
                continue
            }
            known.entries += added
            mapping.entries[index].value.content = .mapping(known)
        }
    }

    private func refuse(_ key: SourceNode) {
        let name = key.text ?? ""
        let isKnown = RootSection.section.key(name) != nil
        findings.mistake(
            at: key.place,
            isKnown ? "'\(name)' belongs on the page that includes this one" : "unknown key '\(Shown.line(of: name))'",
            expected: "one of the keys " + Self.keys.joined(separator: ", "),
            suggestion: isKnown ? nil : Nearest.suggestion(for: name, among: Self.keys))
    }
}
