internal import ArgumentParser
internal import SluiceConfig
internal import SluiceContract
internal import SluiceFiles
internal import SluiceGateway
internal import SluiceIO
internal import Glibc

/// Reads a configuration file and reports its mistakes.
struct ConfigurationFile {
    /// The path that means standard input.
    static let standardInput = "-"

    let path: String
    /// How its secrets are read. A daemon needs them; a command that asks the running daemon may not even be able to
    /// read them.
    let secrets: ConfigurationReader.Secrets
    /// Replaces its upstreams' answers, or records them.
    var source = AnswerSource.upstreams

    init(_ path: String, secrets: ConfigurationReader.Secrets) {
        self.path = path
        self.secrets = secrets
    }

    /// The name in messages about mistakes.
    var name: String { path == Self.standardInput ? "<stdin>" : path }

    /// The absolute path.
    var absolutePath: String {
        guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        let name = path.hasPrefix("./") ? String(path.dropFirst(2)) : path
        return "\(String(cString: folder))/\(name)"
    }

    /// Whether `other`, which is absolute, is the same file by its name, or is now where all links are followed.
    func isSame(as other: String) -> Bool {
        if absolutePath == other { return true }
        guard let target = FolderReader.target(of: path) else { return false }
        return target == FolderReader.target(of: other)
    }

    /// Reads it, as it is now.
    /// - Parameter isRead: called with the path of each file that is read.
    func read(noting isRead: (@Sendable (String) -> Void)? = nil) throws(UnreadableFile) -> Loaded {
        var reader = ConfigurationReader(path: name, environment: EnvironmentSecrets.variables, secrets: secrets)
        if path == Self.standardInput {
            let bytes: [UInt8]
            do throws(FileReader.Failure) {
                bytes = try FileReader.rest(of: STDIN_FILENO, atMost: ConfigurationReader.bytesMax)
            } catch {
                throw UnreadableFile(path: name, reason: "\(error)")
            }
            reader.surroundings.contents = { [name, other = reader.surroundings.contents] path in
                path == name ? .success(bytes) : other(path)
            }
        } else {
            // The page itself may be a pipe (`<(…)`), and no file that it names may be one.
            let page = Surroundings.read(path, mayWait: true)
            reader.surroundings.contents = { [name, other = reader.surroundings.contents] path in
                path == name ? page : other(path)
            }
        }
        if let isRead {
            reader.surroundings.contents = { [contents = reader.surroundings.contents] path in
                isRead(path)
                return contents(path)
            }
        }
        return try source.serving(try reader.read())
    }

    /// The configuration, without its warnings: 'check' and 'serve' report those.
    /// - Throws: exit code 1 with every mistake on standard error, or 2 where the file cannot be read.
    func configuration() throws -> SluiceContract.Configuration {
        let loaded = try readOrExit()
        guard let configuration = loaded.configuration else { throw Report.failure(loaded.mistakes) }
        return configuration
    }

    /// An address of the daemon that reads the file, whatever else the file says: a mistake elsewhere concerns the next
    /// reload, not the running daemon.
    /// - Returns: what `find` finds; nil where there is nothing in a file without mistakes.
    /// - Throws: exit codes as ``configuration()`` does.
    func address<Address>(_ find: (SluiceContract.Configuration) -> Address?) throws -> Address? {
        let loaded = try readOrExit()
        if let found = loaded.draft.flatMap(find) { return found }
        if loaded.configuration == nil { throw Report.failure(loaded.mistakes) }
        return nil
    }

    /// - Throws: exit code 2 where the file cannot be read.
    func readOrExit() throws -> Loaded {
        do throws(UnreadableFile) {
            return try read()
        } catch {
            throw Say.failure("sluice: \(error)" + (path == ConfigurationOption.defaultPath ? Self.hint : ""), code: 2)
        }
    }

    /// Advice where no file was named, and the usual one is missing.
    private static var hint: String {
        let variable = "or \(ConfigurationOption.variable)=FILE for all commands"
        guard FileKind(path: NewFile.usualName) == nil else {
            return "; name the one that is here: --config \(NewFile.usualName), \(variable)"
        }
        return "; name yours: --config FILE, \(variable); or make one: sluice init"
    }

    /// A mistake that only the gateway finds; nil where there is no configuration, or no mistake.
    func compileMistake(_ loaded: Loaded) -> Mistake? {
        guard let configuration = loaded.configuration else { return nil }
        do throws(RouteTable.CompileError) {
            _ = try RouteTable(configuration)
            return nil
        } catch {
            return loaded.mistake(ofBinding: error.binding, "\(error)")
                ?? Mistake(file: name, line: 1, column: 1, message: "\(error)")
        }
    }
}
