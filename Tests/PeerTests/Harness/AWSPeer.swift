/// Who verifies signatures of AWS requests: `botocore`, which signs what has come once more, and `moto`, which is S3
/// and other services.
enum AWSPeer {
    static let secret = "secret+of/an+account+0123456789=="
    static let sessionToken = "session+token/0123456789"

    /// An origin that answers 200 where `botocore` signs in the same way what has come, and 409 with both where not.
    static func verifier() throws -> PythonPeer { try PythonPeer(verifierScript, secret, sessionToken) }

    /// Services in memory, with the access key and its secret in `words`. Nothing is done for anybody else.
    static func moto() throws -> PythonPeer { try PythonPeer(motoScript) }

    private static let verifierScript = #"""
        import datetime
        from urllib.parse import parse_qsl, quote, unquote_to_bytes
        from botocore import auth
        from botocore.awsrequest import AWSRequest
        from botocore.credentials import Credentials

        class Unsigned:
            s3 = {"payload_signing_enabled": False}

        lock = threading.Lock()
        own = {"authorization", "x-amz-date", "x-amz-security-token", "x-amz-content-sha256"}

        def answer(request):
            lines = [(name.lower(), value) for name, value in request.headers.items()]
            given = {name: value for name, value in lines if name in own}
            assert len(given) == sum(name in own for name, _ in lines), lines
            parts = dict(part.strip().split("=", 1) for part in given["authorization"].split(" ", 1)[1].split(","))
            key, day, region, service, end = parts["Credential"].split("/")
            assert key == "AKID" and end == "aws4_request"
            names = parts["SignedHeaders"].split(";")
            for name, _ in lines:
                assert name in names or name in own or not name.startswith(("x-amz-", "content-type", "content-md5"))
            moment = datetime.datetime.strptime(given["x-amz-date"], "%Y%m%dT%H%M%SZ")
            moment = moment.replace(tzinfo=datetime.timezone.utc)
            late = abs((datetime.datetime.now(datetime.timezone.utc) - moment).total_seconds())
            assert late < 30, late
            # The tools are given names and values, which services make of what they get, and encode them in their own
            # way; and S3's objects by their names.
            path, _, query = request.target.partition("?")
            if service == "s3":
                path = "/".join(quote(unquote_to_bytes(part), safe="~") for part in path.split("/"))
            again = AWSRequest(
                request.method, "https://" + request.headers["Host"] + path, data=request.body,
                params=parse_qsl(query, keep_blank_values=True))
            for name, value in lines:
                if name in names and name not in own: again.headers.add_header(name, value)
            if given.get("x-amz-content-sha256") == "UNSIGNED-PAYLOAD":
                again.context.update(payload_signing_enabled=False, client_config=Unsigned)
            token = sys.argv[2] if "x-amz-security-token" in given else None
            kind = auth.S3SigV4Auth if service == "s3" else auth.SigV4Auth
            with lock:
                auth.get_current_datetime = lambda *arguments, **options: moment
                signer = kind(Credentials(key, sys.argv[1], token), service, region)
                signer.add_auth(again)
                canonical = signer.canonical_request(again)
            expected = {name.lower(): value for name, value in again.headers.items() if name.lower() in own}
            if given == expected: return 200, {}, json.dumps(dict(service=service, token=token, body=len(request.body)))
            return 409, {}, f"{request.target} {lines}\n{given}\n{expected}\n{canonical}"

        serve(answer)
        """#

    private static let motoScript = #"""
        import os
        # So many requests found the account; from then on everybody is asked for a signature, and rights.
        os.environ["INITIAL_NO_AUTH_ACTION_COUNT"] = "3"
        import logging
        logging.getLogger("werkzeug").setLevel(logging.ERROR)
        from moto.server import ThreadedMotoServer
        from botocore.session import Session

        server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
        server.start()
        port = server.get_host_and_port()[1]
        iam = Session().create_client(
            "iam", region_name="us-east-1", endpoint_url=f"http://127.0.0.1:{port}", aws_access_key_id="x",
            aws_secret_access_key="x")
        iam.create_user(UserName="me")
        key = iam.create_access_key(UserName="me")["AccessKey"]
        everything = dict(Version="2012-10-17", Statement=[dict(Effect="Allow", Action="*", Resource="*")])
        iam.put_user_policy(UserName="me", PolicyName="all", PolicyDocument=json.dumps(everything))
        print(port, key["AccessKeyId"], key["SecretAccessKey"], flush=True)
        threading.Event().wait()
        """#
}
