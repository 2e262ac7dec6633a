internal import ArgumentParser

/// `--binding`, `--tag`, `--group`, `--key` and a target: they select stored answers.
struct CacheSelection: ParsableArguments {
    @Argument(help: ArgumentHelp("The local target that was asked for, with its query.", valueName: "target"))
    var target: String?

    @Option(help: ArgumentHelp("Answers of a binding, such as 'GET /fruits/{id}'.", valueName: "binding"))
    var binding: String?

    @Option(help: ArgumentHelp("Answers of the bindings whose 'cache:' has this tag.", valueName: "tag"))
    var tag: String?

    @Option(help: ArgumentHelp("Answers whose Cache-Groups has this name (RFC 9875).", valueName: "name"))
    var group: String?

    @Option(help: ArgumentHelp("One answer, by its key in the list.", valueName: "key"))
    var key: String?

    var query: [(name: String, value: String?)] {
        [("target", target), ("binding", binding), ("tag", tag), ("group", group), ("key", key)]
    }

    var count: Int { query.filter { $0.value != nil }.count }
}
