import Foundation

/// What others make of signatures: `botocore` of those for AWS, `joserfc` of tokens.
enum SignaturePeer {
    /// Signs each request of a file in JSON, and prints how many it has signed in the same way as here; complains about
    /// the first that it has not.
    static func botocore(_ file: String) throws -> ChildProcess {
        try ChildProcess([try Peers.signatures(), "-c", botocoreScript, file])
    }

    /// Verifies each token of a file in JSON by the public key in it, and prints what the tokens say.
    static func jose(_ file: String) throws -> ChildProcess {
        try ChildProcess([try Peers.signatures(), "-c", joseScript, file])
    }

    private static let botocoreScript = """
        import datetime, json, sys
        from botocore import auth
        from botocore.awsrequest import AWSRequest
        from botocore.credentials import Credentials

        class Unsigned:
            s3 = {"payload_signing_enabled": False}

        count = 0
        for case in json.load(open(sys.argv[1])):
            now = datetime.datetime.fromtimestamp(case["now"], datetime.timezone.utc)
            auth.get_current_datetime = lambda *arguments, **options: now
            request = AWSRequest(case["method"], "https://" + case["host"] + case["target"], data=case["body"].encode())
            for name, value in [["Host", case["host"]]] + case["fields"]:
                request.headers.add_header(name, value)
            if case["unsigned"]:
                request.context.update(payload_signing_enabled=False, client_config=Unsigned)
            kind = auth.S3SigV4Auth if case["service"] == "s3" else auth.SigV4Auth
            signer = kind(Credentials("AKID", case["secret"], case.get("token")), case["service"], case["region"])
            signer.add_auth(request)
            own = {"Authorization", "X-Amz-Date", "X-Amz-Security-Token", "X-Amz-Content-SHA256"}
            expected = {name.lower(): value for name, value in request.headers.items() if name in own}
            lines = [line.split(": ", 1) for line in case["lines"].split("\\r\\n")[:-1]]
            made = {name.lower(): value for name, value in lines}
            assert len(made) == len(lines), lines
            assert made == expected, f"{case}\\n{made}\\n{expected}\\n{signer.canonical_request(request)}"
            count += 1
        print(count)
        """

    private static let joseScript = """
        import json, sys
        from joserfc import jws
        from joserfc.jwk import ECKey, OKPKey, RSAKey

        kinds = {"RS256": RSAKey, "ES256": ECKey, "EdDSA": OKPKey}
        registry = jws.JWSRegistry(algorithms=list(kinds), strict_check_header=False)
        # The head of a proof has the whole public key in it, which takes more for RSA than is allowed without this.
        registry.max_header_length = 4096
        for case in json.load(open(sys.argv[1])):
            key = kinds[case["algorithm"]].import_key(case["key"])
            token = jws.deserialize_compact(case["token"], key, registry=registry)
            header = token.headers()
            assert header["alg"] == case["algorithm"], header
            if "jwk" in header:
                embedded = kinds[case["algorithm"]].import_key(header["jwk"])
                assert not embedded.is_private
                assert embedded.thumbprint() == key.thumbprint() == case["thumbprint"]
            head, payload, signature = case["token"].split(".")
            other = ("B" if signature[0] == "A" else "A") + signature[1:]
            try:
                jws.deserialize_compact(f"{head}.{payload}.{other}", key, registry=registry)
                raise SystemExit("a changed signature holds")
            except Exception as error:
                assert "signature" in str(error).lower(), error
            print(token.payload.decode())
        """
}
