/// Authorization servers whose tokens are bound, each with an API at `/me` that takes them.
enum BoundTokenPeer {
    /// RFC 9449, verified by `joserfc`.
    static let dpop = #"""
        import base64, hashlib, secrets, time
        from joserfc import jwt
        from joserfc.jwk import ECKey, OKPKey

        used, tokens = set(), {}
        state = dict(token="nonce-of-the-server", api="nonce-of-the-api-0", served=0, asked=[0, 0], tokens=0)

        class Refusal(Exception): pass

        def decode(text): return json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))

        def proven(request, nonce, token=None):
            proofs = request.headers.get_all("DPoP", [])
            if len(proofs) != 1: raise Refusal("invalid_dpop_proof")
            header = decode(proofs[0].split(".")[0])
            assert header["typ"] == "dpop+jwt" and "d" not in header["jwk"], header
            assert header["alg"] in ("ES256", "EdDSA", "Ed25519"), header
            key = (ECKey if header["jwk"]["kty"] == "EC" else OKPKey).import_key(header["jwk"])
            claims = jwt.decode(proofs[0], key, algorithms=[header["alg"]]).claims
            uri = f"http://{request.headers['Host']}{request.target.partition('?')[0]}"
            assert claims["htm"] == request.method and claims["htu"] == uri, claims
            assert abs(claims["iat"] - time.time()) < 30, claims
            assert claims["jti"] not in used, "a proof was used twice"
            used.add(claims["jti"])
            if token:
                expected = base64.urlsafe_b64encode(hashlib.sha256(token.encode()).digest()).decode().rstrip("=")
                assert claims["ath"] == expected, claims
            else:
                assert "ath" not in claims, claims
            if claims.get("nonce") != nonce: raise Refusal("use_dpop_nonce")
            return key.thumbprint()

        def answer(request):
            if request.target == "/counts":
                return 200, {}, f"tokens {state['tokens']}, asked {state['asked'][0]} and {state['asked'][1]}"
            if request.target == "/token":
                try:
                    thumbprint = proven(request, state["token"])
                except Refusal as refusal:
                    if str(refusal) == "use_dpop_nonce": state["asked"][0] += 1
                    return 400, {"DPoP-Nonce": state["token"], "Content-Type": "application/json"}, json.dumps(
                        dict(error=str(refusal)))
                token = secrets.token_urlsafe(24)
                tokens[token] = thumbprint
                state["tokens"] += 1
                return 200, {"Content-Type": "application/json"}, json.dumps(
                    dict(access_token=token, token_type="DPoP", expires_in=600))
            scheme, _, token = request.headers.get("Authorization", "").partition(" ")
            assert scheme == "DPoP" and token in tokens, request.headers
            try:
                assert proven(request, state["api"], token) == tokens[token]
            except Refusal as refusal:
                state["asked"][1] += 1
                return 401, {
                    "WWW-Authenticate": f'DPoP error="{refusal}", error_description="another one"',
                    "DPoP-Nonce": state["api"]}, "no"
            state["served"] += 1
            if state["served"] % 4 == 0: state["api"] = f"nonce-of-the-api-{state['served']}"
            return 200, {}, request.body.decode()

        serve(answer)
        """#

    /// RFC 8705; its arguments are the files of its certificate, of the key and of the authority of its clients.
    static let certificates = #"""
        import base64, hashlib, secrets

        tokens = {}

        def thumbprint(request):
            certificate = request.connection.getpeercert(binary_form=True)
            return certificate and base64.urlsafe_b64encode(hashlib.sha256(certificate).digest()).decode().rstrip("=")

        def answer(request):
            shown = thumbprint(request)
            if request.target == "/token":
                if not shown: return 401, {"Content-Type": "application/json"}, json.dumps(dict(error="invalid_client"))
                token = secrets.token_urlsafe(24)
                tokens[token] = {"cnf": {"x5t#S256": shown}}
                return 200, {"Content-Type": "application/json"}, json.dumps(
                    dict(access_token=token, token_type="Bearer", expires_in=600))
            claims = tokens[request.headers["Authorization"].removeprefix("Bearer ")]
            if not shown: return 401, {"WWW-Authenticate": 'Bearer error="invalid_token"'}, "no certificate"
            right = claims["cnf"]["x5t#S256"] == shown
            return (200 if right else 401), {}, "right" if right else "another certificate"

        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1], sys.argv[2])
        context.load_verify_locations(sys.argv[3])
        context.verify_mode = ssl.CERT_OPTIONAL
        serve(answer, context=context)
        """#
}
