import Testing

@testable import SluiceGateway

/// Bodies without what sounds like a credential.
@Suite struct SensitiveMembersTests {
    @Test(arguments: [
        (#"{"access_token":"abc","size":3}"#, #"{"access_token":"-","size":3}"#),
        (
            #"{"a":{"password" : "x\"y" , "b":["secret","token"]}}"#,
            #"{"a":{"password" : "-" , "b":["secret","token"]}}"#
        ),
        (#"{"tokens":["a","b]"],"size":[1]}"#, #"{"tokens":"-","size":[1]}"#),
        (#"{"credentials":{"value":{"a":"x"}},"b":"c"}"#, #"{"credentials":"-","b":"c"}"#),
        (#"{"credentials":{"value":"x"#, #"{"credentials":"-""#),
        (#"{"pass\u0077ord":"x"}"#, #"{"pass\u0077ord":"-"}"#),
        ("5\" pipe\n{\"token\":\"x\"}", "5\" pipe\n{\"token\":\"-\"}"),
        (#"{"token":12,"secret":null,"author":"Ann"}"#, #"{"token":12,"secret":null,"author":"Ann"}"#),
        (#"{"a":"token","token":"a"}"#, #"{"a":"token","token":"-"}"#),
        (#"{"token":"cut her"#, #"{"token":"-"#), (#"{"token":""#, #"{"token":"-"#), (#"{"token"#, #"{"token"#),
        (#"{"token":"a\"#, #"{"token":"-"#), ("plain text", "plain text"), ("", ""),
        (#"{"client_secret":"a","refresh_token":"b"}"#, #"{"client_secret":"-","refresh_token":"-"}"#),
    ])
    func json(_ text: String, _ masked: String) {
        let shown = SensitiveMembers.masked(json: Array(text.utf8), "-")
        #expect(String(decoding: shown, as: UTF8.self) == masked)
    }

    @Test func forms() {
        let shown = SensitiveMembers.masked(form: Array("user=ann&password=x%20y&grant=1".utf8))
        #expect(String(decoding: shown, as: UTF8.self) == "user=ann&password=***&grant=1")
    }
}
