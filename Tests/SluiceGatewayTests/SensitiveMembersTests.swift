import SluiceContract
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
        (#"{"pin":1234,"otp": -48.29e1}"#, #"{"pin":0,"otp": 0}"#), (#"{"password":12"#, #"{"password":0"#),
        (
            #"{"max_tokens":12,"foreign_key":7,"passed":true,"pin":null}"#,
            #"{"max_tokens":12,"foreign_key":7,"passed":true,"pin":null}"#
        ),
        (#"var a={"csrf_token":"x"};"#, #"var a={"csrf_token":"-"};"#),
    ])
    func json(_ text: String, _ masked: String) {
        let shown = SensitiveMembers.masked(json: Array(text.utf8), .init(text: "-", number: "0"))
        #expect(String(decoding: shown, as: UTF8.self) == masked)
    }

    @Test func forms() {
        let shown = SensitiveMembers.masked(form: Array("user=ann&password=x%20y&grant=1".utf8))
        #expect(String(decoding: shown, as: UTF8.self) == "user=ann&password=***&grant=1")
    }

    /// What names a program has chosen changes nothing else of the form.
    @Test func chosenMembersOfForms() {
        let form = Array("a=1&&m%61il=x%20y&mail&50%=z".utf8)
        let shown = SensitiveMembers.masked(form: form, also: ["mail", "50%"], except: .all)
        #expect(String(decoding: shown, as: UTF8.self) == "a=1&&m%61il=***&mail&50%=***")
    }

    /// Whatever it is, and whatever a number is called.
    @Test func chosenMembers() {
        let json = Array(#"{"mail":"a","size":3,"ripe":true,"sort_key":"x"}"#.utf8)
        let shown = SensitiveMembers.masked(
            json: json, .recorded, also: ["mail", "size", "ripe"], except: .only(["sort_key"]))
        #expect(
            String(decoding: shown, as: UTF8.self) == #"{"mail":"***","size":0,"ripe":"***","sort_key":"x"}"#)
    }
}

/// Bodies as they are recorded and compared.
@Suite struct RecordedBodyTests {
    private static let form = "application/x-www-form-urlencoded; charset=utf-8"

    @Test(
        arguments: [
            ("password=hunter2\n", nil, "password=***"),
            ("\r\n password=hunter2&n=1\r\n", nil, "\r\n password=***&n=1\r\n"),
            ("\u{FEFF}pin=1234", nil, "\u{FEFF}pin=***"), ("\u{FEFF}\n{\"pin\":1234}", nil, "\u{FEFF}\n{\"pin\":0}"),
            ("password=hun ter2&a=b c", form, "password=***&a=b c"),
            ("password=hun ter2", "text/plain", "password=hun ter2"),
            ("a=1&password=ä", form, "a=1&password=***"), (#"{"token":"x"}"#, form, #"{"token":"***"}"#),
            ("plain = text", nil, "plain = text"), ("", form, ""), ("\n", nil, "\n"),
        ] as [(String, String?, String)])
    func isMasked(_ body: String, _ type: String?, _ masked: String) {
        let rule = RecordedBody.ofRequest(RecordingNames())
        #expect(String(decoding: rule.masked(Array(body.utf8), type: type), as: UTF8.self) == masked)
    }

    /// What a request was shown is taken out wherever it stands, or else nothing is kept.
    @Test func whatTheUpstreamWasShownIsTakenOut() {
        var mask = CredentialMask()
        mask.insert("tok-4711".utf8)
        func masked(_ body: [UInt8]) -> [UInt8]? {
            RecordedBody.ofAnswer(RecordingNames()).masked(body, type: "text/plain", mask)
        }
        #expect(masked(Array("it was tok-4711, ä".utf8)) == Array("it was ***, ä".utf8))
        #expect(masked(Array("plain".utf8) + [0xFF]) == Array("plain".utf8) + [0xFF])
        #expect(masked(Array("tok-4711".utf8) + [0xFF]) == nil)
    }

    private static let parts = """
        --X-7\r\nContent-Disposition: form-data; name="user"\r\n\r\nann\r\n--X-7\r\n\
        content-disposition: form-data; filename=a; NAME="api%5Ftoken"\r\nContent-Type: text/plain\r\n\r\n\
        one\ntwo\r\n--X-7 \r\nContent-Disposition: form-data; name=meta\r\n\r\n{"password":"x"}\r\n--X-7--\r\n
        """

    /// The same for whatever boundary a program has made up (RFC 7578); an answer keeps its own.
    @Test(arguments: ["multipart/form-data; boundary=X-7", "multipart/form-data; Boundary=\"X-7\"; a=b", nil])
    func partsAreMasked(_ type: String?) {
        let masked = Self.parts.replacing("one\ntwo", with: "***").replacing("\"x\"", with: "\"***\"")
        let body = Array(Self.parts.utf8)
        let asked = RecordedBody.ofRequest(RecordingNames()).masked(body, type: type)
        #expect(String(decoding: asked, as: UTF8.self) == masked.replacing("X-7", with: "boundary"))
        let again = RecordedBody.ofRequest(RecordingNames()).masked(asked, type: nil)
        #expect(again == asked)
        let answered = RecordedBody.ofAnswer(RecordingNames(leftOut: ["user"])).masked(body, type: type)
        #expect(String(decoding: answered, as: UTF8.self) == masked.replacing("ann", with: "***"))
        let fields = RecordedBody.fields([HeaderSetting(name: "Content-Type", value: type ?? "a/b")], with: body)
        #expect(fields[0].value == (type ?? "a/b").replacing("X-7", with: "boundary"))
    }

    /// No secret comes out of a body wherever it is cut, and no other line is taken for a delimiter.
    @Test func partsMayBeCut() {
        let type = "multipart/form-data; boundary=X-7"
        let secret = Self.parts.replacing("one\ntwo", with: "s3cr3t\r\n--X-7x\r\n--boundary\r\ns3cr3t")
        for count in 0...secret.utf8.count {
            let shown = RecordedBody.ofRequest(RecordingNames()).masked(Array(secret.utf8.prefix(count)), type: type)
            #expect(!String(decoding: shown, as: UTF8.self).contains("s3"), "cut at \(count)")
        }
        let shown = RecordedBody.ofRequest(RecordingNames()).masked(Array(secret.utf8), type: type)
        #expect(String(decoding: shown, as: UTF8.self).hasSuffix("\r\n--boundary-2--\r\n"))
    }

    /// However a field is written that some reader takes for a name; what is content for one and fields for another.
    @Test(arguments: [
        "Content-Disposition: form-data;\r\n name=\"password\"\r\n\r\ns3",
        "Content-Disposition : form-data; name=token\r\n\r\ns3", "content-disposition:form-data;name='pin'\n\ns3",
        "Content-Disposition: form-data; filename=\"C:\\\"; name=\"token\"\r\n\r\ns3",
        "Content-Disposition: form-data; name=x; name*=UTF-8''pass%77ord\r\n\r\ns3",
        "Content-Disposition: form-data; name=\"pass\\word\"\r\n\r\ns3",
        "Content-Disposition: form-data; name=\"user[pin]\"\r\n\r\ns3",
        "Content-Disposition: form-data\r\n\r\ns3", "Content-Disposition: form-data; name=\"password\"\r\ns3",
        "Content-Type: text/plain\r\nContent-Disposition: form-data; name=\"otp\"\r\n{\"a\":\"s3\"}",
        "{\"password\":\"s3\"}", "X: {\"password\":\"s3\"}\r\n\r\n",
        "Content-Type: multipart/mixed; boundary=i\r\n\r\n--i\r\n"
            + "Content-Disposition: form-data; name=pin\r\n\r\ns3\r\n--i",
    ])
    func partsAreMaskedHoweverTheyAreWritten(_ part: String) {
        for type in ["multipart/form-data; boundary=b", "multipart/mixed; boundary=\"\\b\"", "a/b; boundary=c"] {
            let preamble = type.hasPrefix("a") ? "" : "{\"token\":\"s3\"}\r\n"
            let body = "\(preamble)--b\r\n\(part)\r\n--b--\r\n{\"token\":\"s3\"}"
            if type.hasPrefix("a"), !part.lowercased().hasPrefix("content-disposition") { continue }
            let shown = RecordedBody.ofRequest(RecordingNames()).masked(Array(body.utf8), type: type)
            let text = String(decoding: shown, as: UTF8.self)
            #expect(!text.contains("s3") && text.contains("--boundary--"), "\(text)")
        }
    }

    /// One pass tells which boundaries are taken.
    @Test func boundariesThatAreTaken() {
        let lines = (1...2000).map { "--boundary-\($0)" }.joined(separator: "\n")
        let body = Array("--b\n\n--boundary\n\(lines)\n--b--".utf8)
        let shown = RecordedBody.ofRequest(RecordingNames()).masked(body, type: "multipart/mixed; boundary=b")
        #expect(String(decoding: shown, as: UTF8.self).hasSuffix("\n--boundary-2001--"))
        let fields = [HeaderSetting(name: "Content-Type", value: "multipart/mixed; x-boundary=1; boundary = \"b\"")]
        #expect(
            RecordedBody.fields(fields, with: body)[0].value
                == "multipart/mixed; x-boundary=1; boundary = \"boundary-2001\"")
    }

    @Test(arguments: ["--\na", "---\ntoken: x\n---\n", "-- select a\nfrom b", "--a\r\nname=\"token\"\r\n\r\nx"])
    func noParts(_ text: String) {
        #expect(MultipartBody(Array(text.utf8), type: nil) == nil)
        #expect(MultipartBody(Array(text.utf8), type: "multipart/mixed; boundary=b") == nil)
    }

    /// What only sounds like a credential stays where it is compared; what is left out stays away.
    @Test func namesAreKept() {
        let rule = RecordedBody.ofRequest(RecordingNames(leftOut: ["at"], compared: ["sort_key", "code"]))
        let target = Array("/a?sort_key=size&token=x&at=1".utf8).withUnsafeBytes { rule.masked(target: $0) }
        #expect(target == "/a?sort_key=size&token=***&at=***")
        let body = rule.masked(Array(#"{"code":"DE","pin":"1","at":2}"#.utf8), type: nil)
        #expect(String(decoding: body, as: UTF8.self) == #"{"code":"DE","pin":"***","at":0}"#)
    }
}
