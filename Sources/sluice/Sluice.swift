internal import ArgumentParser

/// The command: one file per verb, registered here.
@main
struct Sluice: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sluice",
        abstract: "A typed API gateway for localhost.",
        discussion: """
            Write a page of YAML that binds local routes to upstream APIs, start it with 'sluice serve', and curl \
            localhost.

            Exit codes: 0 all is well, 1 something is wrong and was said, 2 a file could not be read, 64 the command \
            line was not understood.

            Completions: sluice --generate-completion-script bash > /etc/bash_completion.d/sluice (or zsh, fish).
            """,
        version: Release.text,
        subcommands: [
            InitVerb.self, ServeVerb.self, RecordVerb.self, HARVerb.self, CheckVerb.self, ReloadVerb.self,
            RoutesVerb.self, CallVerb.self, WatchVerb.self,
            HealthVerb.self, DoctorVerb.self, DriftVerb.self, VerifyVerb.self, TailVerb.self, TopVerb.self,
            ConsoleVerb.self, ExportVerb.self,
            VersionVerb.self, CacheVerb.self, StateVerb.self, CredentialsVerb.self, LoginVerb.self, LogoutVerb.self,
            KeyVerb.self,
            DemoUpstreamVerb.self,
        ]
    )
}
