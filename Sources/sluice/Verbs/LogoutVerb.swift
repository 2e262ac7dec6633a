internal import ArgumentParser
internal import SluiceIO

/// `sluice logout NAME`: the tokens are given back and forgotten.
struct LogoutVerb: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "logout",
        abstract: "Give the tokens of a credential back, and forget them.",
        discussion: """
            Tells the server that the tokens are not used any more (RFC 7009) and removes them from the state folder. \
            A daemon that runs does it, over its admin socket, and shows them to no upstream from then on.

              sluice logout spotify

            Exit codes: 0 signed out, 1 not, 2 the file cannot be read.
            """)

    @OptionGroup var credential: CredentialOption

    func run() throws {
        let page = try credential.page()
        _ = try credential.client(page)
        let told: String?
        if let daemon = try credential.daemon(page) {
            told = try daemon.signOut()
        } else {
            let signIn = try credential.signIn()
            told = try CredentialOption.told {
                try Progress.during("asking the authorization server") { () throws(SignIn.Failure) in
                    try signIn.signOut()
                }
            }
        }
        guard let told else {
            Say.print("Nobody is signed in as '\(credential.name)'.")
            return
        }
        Say.print("Signed out of '\(credential.name)': \(told.printable).")
    }
}
