internal import ArgumentParser
internal import SluiceConfig
internal import SluiceContract
internal import SluiceJSON

/// `sluice doctor`: what is wrong around a page, and what to do about it.
struct DoctorVerb: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "doctor",
        abstract: "Look at page, secrets, addresses, upstreams and machine, and say what to do.",
        discussion: """
            Upstreams are asked by a HEAD that shows no credential, \(UpstreamRound.atOnceMax) endpoints at a time, \
            each for \(UpstreamCheckup.secondsMax) seconds at most; --offline leaves them alone. What the daemon \
            sees may be more than what you see: run it as the daemon's user, or as root.

              sluice doctor sluice.yaml
              sudo sluice doctor
              sluice doctor --json | jq '.[] | select(.verdict == "wrong")'

            Exit codes: 0 nothing is wrong, 1 something is.
            """)

    @OptionGroup var page: PageOption

    @Flag(help: "Ask no upstream.")
    var offline = false

    @Flag(help: "Print a JSON array, with subject, verdict (ok, note, wrong), finding and advice.")
    var json = false

    func validate() throws {
        if page.path == ConfigurationFile.standardInput { throw ValidationError("'doctor' wants the page as a file") }
    }

    func run() throws {
        var found: [Diagnosis] = []
        func tell(_ diagnoses: [Diagnosis]) {
            found += diagnoses
            // One after the other: upstreams may take their time.
            if !json { for diagnosis in diagnoses { Say.output(Array((diagnosis.text + "\n").utf8)) } }
        }
        let file = ConfigurationFile(page.path, secrets: .reported)
        let checkup = PageCheckup(file)
        tell(checkup.findings)
        if let configuration = checkup.configuration {
            tell(Self.addresses(configuration, file))
            let daemon = Progress.during("asking the daemon") {
                DaemonCheckup(configuration, page: page.path, files: checkup.files)
            }
            tell(daemon.findings)
            tell(SystemCheckup.findings(configuration))
            if !offline {
                UpstreamRound(configuration.upstreams).run(tell)
            }
        }
        if json { Say.print(JSONValue.array(found.map(\.json)).text) }
        if found.contains(where: { $0.verdict == .trouble }) { throw ExitCode(1) }
    }

    private static func addresses(_ configuration: SluiceContract.Configuration, _ file: ConfigurationFile)
        -> [Diagnosis]
    {
        let check = Progress.during("looking who listens") { ListenCheck(configuration.listen, in: file) }
        let found = check.findings.map { finding in
            switch finding.holder {
            case .sluice: Diagnosis.fine("addresses", finding.mistake.message)
            case .activator:
                Diagnosis.note(
                    "addresses", finding.mistake.message,
                    "nobody was asked; whether it starts: systemctl status sluice, and journalctl -u sluice")
            case .other:
                Diagnosis.trouble("addresses", finding.mistake.message, "end that program, or change 'listen:'")
            }
        }
        if !found.isEmpty { return found }
        let names = configuration.listen.map { "\($0.address)" }.joined(separator: ", ")
        return [.fine("addresses", "\(names): free")]
    }
}
