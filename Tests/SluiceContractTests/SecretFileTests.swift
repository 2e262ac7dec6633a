import SluiceContract
import Testing

/// Which files may hold a secret, as a table over facts.
@Suite struct SecretFileTests {
    enum Outcome: Sendable {
        case accepted, suspicious, refused
    }

    /// Facts that differ from a file in a folder of root's, on a machine, asked about by user 1000.
    enum Fact: Sendable {
        case container, readOnly, memory, amongSecrets, credential, ownFolder, foreignFolder
    }

    private static func file(_ mode: UInt32, _ owner: UInt32, _ facts: [Fact]) -> SecretFile {
        var file = SecretFile(mode: mode, owner: owner, user: 1000)
        for fact in facts {
            switch fact {
            case .container: file.isContainer = true
            case .readOnly: file.isReadOnly = true
            case .memory: file.isMemory = true
            case .amongSecrets: file.isAmongSecrets = true
            case .credential: file.isCredential = true
            case .ownFolder:
                file.directoryOwner = 1000
                file.isDirectoryWritable = true
            case .foreignFolder: file.directoryOwner = 1001
            }
        }
        return file
    }

    private static func outcome(_ file: SecretFile) -> Outcome {
        switch file.verdict {
        case .accepted: .accepted
        case .suspicious: .suspicious
        case .refused: .refused
        }
    }

    @Test(
        arguments: [
            // On a machine: its owner's or root's, closed to the others.
            (0o600, 1000, [], .accepted), (0o400, 0, [], .accepted), (0o640, 0, [], .accepted),
            (0o644, 1000, [], .refused), (0o444, 0, [], .refused), (0o620, 1000, [], .refused),
            (0o660, 0, [], .refused), (0o602, 1000, [], .refused), (0o600, 1001, [], .refused),
            // A mount alone makes no difference there: other users see it, too.
            (0o444, 0, [.readOnly], .refused), (0o444, 0, [.memory], .refused), (0o660, 0, [.readOnly], .refused),
            // What the service manager provides.
            (0o444, 0, [.credential], .accepted), (0o666, 1001, [.credential], .accepted),
            // Where secrets are mounted: Swarm 0444, Kubernetes 0644, Compose as the host has it.
            (0o444, 0, [.amongSecrets, .container], .accepted), (0o644, 0, [.amongSecrets, .container], .accepted),
            (0o644, 1001, [.amongSecrets, .container, .readOnly], .accepted),
            (0o664, 1001, [.amongSecrets, .container, .readOnly], .accepted),
            (0o664, 0, [.amongSecrets, .container], .refused), (0o444, 0, [.amongSecrets], .accepted),
            (0o444, 1001, [.amongSecrets], .refused), (0o646, 0, [.amongSecrets], .refused),
            // A secret volume of Kubernetes at a place of the user's choice.
            (0o644, 0, [.container, .memory, .readOnly], .accepted), (0o644, 0, [.container, .memory], .accepted),
            (0o440, 0, [.container, .memory, .readOnly], .accepted), (0o444, 0, [.container, .readOnly], .accepted),
            // Elsewhere in a container somebody should know.
            (0o644, 0, [.container], .suspicious), (0o644, 1000, [.container], .suspicious),
            (0o644, 0, [.container, .memory, .ownFolder], .suspicious),
            (0o644, 0, [.container, .readOnly, .foreignFolder], .suspicious),
            (0o600, 1001, [.container], .suspicious), (0o600, 1000, [.container], .accepted),
            (0o660, 1000, [.container], .refused), (0o666, 0, [.container, .memory], .refused),
            // Nobody in there can write to it.
            (0o664, 0, [.container, .readOnly], .accepted),
        ] as [(UInt32, UInt32, [Fact], Outcome)])
    func verdict(_ mode: UInt32, _ owner: UInt32, _ facts: [Fact], _ expected: Outcome) {
        #expect(Self.outcome(Self.file(mode, owner, facts)) == expected)
    }

    @Test func objectionsSayWhatToDo() {
        #expect(
            Self.file(0o660, 0, []).verdict
                == .refused(.init(reason: "can be written by others", command: "chmod g-w,o=")))
        #expect(
            Self.file(0o600, 1001, []).verdict
                == .refused(.init(reason: "is owned by another user (uid 1001)", command: "chown 1000")))
    }
}
