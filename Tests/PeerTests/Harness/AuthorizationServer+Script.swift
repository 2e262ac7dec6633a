extension AuthorizationServer {
    /// Port and life of access tokens in seconds, and the PEM file of a public key or nothing, are its arguments.
    ///
    /// A refresh token is for one exchange. The last exchange may be repeated once, because its answer may have been
    /// lost; any other reuse revokes the family.
    static let script = #"""
        import os, secrets, socket, sys, threading, time
        os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"
        from authlib.integrations.flask_oauth2 import AuthorizationServer, ResourceProtector
        from authlib.oauth2.rfc6749 import ClientMixin, TokenMixin, grants
        from authlib.oauth2.rfc6749.errors import InvalidGrantError
        from authlib.oauth2.rfc6750 import BearerTokenValidator
        from authlib.oauth2.rfc7009 import RevocationEndpoint
        from authlib.oauth2.rfc7523 import JWTBearerClientAssertion, JWTBearerGrant
        from authlib.oauth2.rfc7636 import CodeChallenge
        from authlib.oauth2.rfc8628 import DeviceAuthorizationEndpoint, DeviceCodeGrant, DeviceCredentialDict
        from flask import Flask, jsonify, request
        from werkzeug.serving import ThreadedWSGIServer, WSGIRequestHandler

        port, life = int(sys.argv[1]), int(sys.argv[2])
        key = open(sys.argv[3]).read() if len(sys.argv) > 3 else None
        base = f"http://127.0.0.1:{port}"
        graceSeconds = 30
        lock = threading.RLock()
        counts = dict(
            tokenRequests=0, refreshes=0, repeats=0, revoked=0, begun=0, refused=0, serial=0, pending=0, slowed=0,
            hurried=0)
        control = dict(lose=0, pause=0, slow=0)
        tokens, codes, seen, usedIDs = [], {}, set(), set()
        deviceGrant = "urn:ietf:params:oauth:grant-type:device_code"
        exchangeGrant = "urn:ietf:params:oauth:grant-type:token-exchange"
        devices, agreed = {}, {}

        class Client(ClientMixin):
            def __init__(self, name, method, kinds, secret=None):
                self.client_id, self.method, self.kinds, self.secret = name, method, kinds, secret
            def get_client_id(self): return self.client_id
            def get_default_redirect_uri(self): return None
            def get_allowed_scope(self, scope): return scope or "read"
            def check_redirect_uri(self, uri): return uri.startswith("http://127.0.0.1:")
            def check_client_secret(self, secret): return secrets.compare_digest(secret, self.secret)
            def check_endpoint_auth_method(self, method, endpoint): return method == self.method
            def check_response_type(self, kind): return kind == "code"
            def check_grant_type(self, kind): return kind in self.kinds

        clients = {client.client_id: client for client in [
            Client("person", "none", ["authorization_code", "refresh_token"]),
            Client("device", "none", [deviceGrant, "refresh_token"]),
            Client("bot", "client_secret_basic", ["client_credentials"], "client-secret-of-bot"),
            Client("signer", "client_assertion_jwt", ["client_credentials"]),
            Client("asserter", "none", [JWTBearerGrant.GRANT_TYPE]),
            Client("exchanger", "client_secret_basic", [exchangeGrant], "client-secret-of-bot")]}

        class Family:
            def __init__(self):
                self.isRevoked, self.wasRepeated = False, False
                self.current, self.last, self.exchangedAt = None, None, 0

        class Token(TokenMixin):
            def __init__(self, data, client, family):
                self.data, self.client, self.family = data, client, family
                self.end, self.isRevoked, self.serial = time.time() + life, False, counts["serial"]
            def check_client(self, client): return client.client_id == self.client.client_id
            def get_scope(self): return self.data.get("scope", "")
            def get_expires_in(self): return life
            def is_expired(self): return time.time() > self.end
            def is_revoked(self): return self.isRevoked or self.family.isRevoked
            def get_user(self): return "somebody"
            def get_client(self): return self.client

        def save(data, request):
            counts["serial"] += 1
            before = getattr(request, "refresh_token", None)
            family = before.family if isinstance(before, Token) else Family()
            token = Token(dict(data), request.client, family)
            family.current = data.get("refresh_token")
            tokens.append(token)
            seen.update(text for text in (data["access_token"], data.get("refresh_token")) if text)

        def find(field, text):
            return next((token for token in reversed(tokens) if token.data.get(field) == text), None)

        class Code(grants.AuthorizationCodeGrant):
            TOKEN_ENDPOINT_AUTH_METHODS = ["none"]
            def save_authorization_code(self, code, request):
                data = request.payload.data
                codes[code] = item = type("Item", (), dict(
                    code=code, client_id=request.client.client_id, redirect=request.payload.redirect_uri,
                    scope=request.payload.scope, code_challenge=data.get("code_challenge"),
                    code_challenge_method=data.get("code_challenge_method"),
                    get_redirect_uri=lambda self: self.redirect, get_scope=lambda self: self.scope))()
                seen.add(code)
                return item
            def query_authorization_code(self, code, client):
                item = codes.get(code)
                return item if item and item.client_id == client.client_id else None
            def delete_authorization_code(self, item): codes.pop(item.code)
            def authenticate_user(self, item): return "somebody"

        class Refresh(grants.RefreshTokenGrant):
            TOKEN_ENDPOINT_AUTH_METHODS = ["none"]
            INCLUDE_NEW_REFRESH_TOKEN = True
            def authenticate_refresh_token(self, text):
                token = find("refresh_token", text)
                if not token or token.family.isRevoked: return None
                family = token.family
                if family.current == text:
                    family.wasRepeated = False
                elif family.last == text and not family.wasRepeated and time.time() < family.exchangedAt + graceSeconds:
                    family.wasRepeated = True
                    counts["repeats"] += 1
                else:
                    family.isRevoked = True
                    counts["revoked"] += 1
                    raise InvalidGrantError("reuse")
                return token
            def authenticate_user(self, token): return "somebody"
            def revoke_old_credential(self, token):
                counts["refreshes"] += 1
                token.family.last, token.family.exchangedAt = token.data["refresh_token"], time.time()

        class Device(DeviceCodeGrant):
            TOKEN_ENDPOINT_AUTH_METHODS = ["none"]
            def query_device_credential(self, code): return devices.get(code)
            def query_user_grant(self, code): return agreed.get(code)
            def should_slow_down(self, item):
                now, isSlow = time.monotonic(), control["slow"] > 0
                counts["hurried"] += now < item.get("next", 0)
                counts["slowed" if isSlow else "pending"] += 1
                if isSlow: control["slow"] -= 1
                item["interval"] += 5 if isSlow else 0
                item["next"] = now + item["interval"]
                return isSlow

        class DeviceCodes(DeviceAuthorizationEndpoint):
            CLIENT_AUTH_METHODS = ["none"]
            INTERVAL = 1
            def get_verification_uri(self): return base + "/device"
            def save_device_credential(self, client, scope, data):
                seen.add(data["device_code"])
                end = time.time() + data["expires_in"]
                devices[data["device_code"]] = DeviceCredentialDict(
                    data, client_id=client, scope=scope or "read", expires_at=end)

        class Bot(grants.ClientCredentialsGrant):
            TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic", "client_assertion_jwt"]

        class Assertion(JWTBearerClientAssertion):
            def get_audiences(self): return [base + "/token", base]
            def validate_jti(self, claims, text): return text not in usedIDs and not usedIDs.add(text)
            def resolve_client_public_key(self, client): return key

        class Asserted(JWTBearerGrant):
            def get_audiences(self): return [base + "/token", base]
            def resolve_issuer_client(self, issuer): return clients.get(issuer)
            def resolve_client_public_key(self, client): return key
            def authenticate_user(self, subject): return subject if subject == "somebody" else None
            def has_granted_permission(self, client, user): return True

        class Exchange(grants.ClientCredentialsGrant):
            """RFC 8693 §2.1 and §2.2."""
            GRANT_TYPE = exchangeGrant
            def validate_token_request(self):
                super().validate_token_request()
                form = self.request.form
                if form.get("subject_token") != "token-of-somebody": raise InvalidGrantError("subject_token")
                if form.get("subject_token_type") != "urn:ietf:params:oauth:token-type:access_token":
                    raise InvalidGrantError("subject_token_type")
                if form.get("audience") != "fruit": raise InvalidGrantError("audience")
            def create_token_response(self):
                status, token, fields = super().create_token_response()
                kind = "urn:ietf:params:oauth:token-type:access_token"
                return status, dict(token, issued_token_type=kind), fields

        class Revocation(RevocationEndpoint):
            CLIENT_AUTH_METHODS = ["none", "client_secret_basic"]
            def query_token(self, text, hint): return find("refresh_token", text) or find("access_token", text)
            def revoke_token(self, token, request):
                token.isRevoked = True
                if request.form.get("token_type_hint") == "refresh_token": token.family.isRevoked = True

        class Validator(BearerTokenValidator):
            def authenticate_token(self, text): return find("access_token", text)

        app = Flask("idp")
        kinds = [
            "authorization_code", "refresh_token", "client_credentials", deviceGrant, exchangeGrant,
            JWTBearerGrant.GRANT_TYPE]
        app.config.update(
            OAUTH2_REFRESH_TOKEN_GENERATOR=True, OAUTH2_TOKEN_EXPIRES_IN={kind: life for kind in kinds})
        server = AuthorizationServer(app, query_client=clients.get, save_token=save)
        server.register_grant(Code, [CodeChallenge(required=True)])
        server.register_grant(Refresh)
        server.register_grant(Device)
        server.register_endpoint(DeviceCodes)
        server.register_grant(Bot)
        server.register_grant(Asserted)
        server.register_grant(Exchange)
        server.register_client_auth_method(Assertion.CLIENT_AUTH_METHOD, Assertion())
        server.register_endpoint(Revocation)
        protector = ResourceProtector()
        protector.register_token_validator(Validator())

        @app.get("/.well-known/oauth-authorization-server")
        def metadata():
            return jsonify(
                issuer=base, token_endpoint=base + "/token", authorization_endpoint=base + "/authorize",
                revocation_endpoint=base + "/revoke", device_authorization_endpoint=base + "/device_authorization",
                code_challenge_methods_supported=["S256"])

        @app.get("/authorize")
        def authorize():
            with lock:
                seen.add(request.args["state"])
                grant = server.get_consent_grant(end_user="somebody")
                return server.create_authorization_response(grant=grant, grant_user="somebody")

        @app.post("/token")
        def token():
            names = ("code_verifier", "client_assertion", "assertion", "subject_token")
            seen.update(request.form[name] for name in names if name in request.form)
            counts["begun"] += 1
            time.sleep(control["pause"] / 1000)
            with lock:
                counts["tokenRequests"] += 1
                answer = server.create_token_response()
                if control["lose"] > 0:
                    control["lose"] -= 1
                    request.environ["werkzeug.socket"].shutdown(socket.SHUT_RDWR)
            time.sleep(control["pause"] / 1000)
            return answer

        @app.post("/device_authorization")
        def begin():
            with lock: return server.create_endpoint_response("device_authorization")

        @app.get("/device")
        def agree():
            with lock: agreed[request.args["user_code"]] = ("somebody", request.args.get("deny") is None)
            return "thanks"

        @app.post("/revoke")
        def revoke():
            with lock: return server.create_endpoint_response("revocation")

        @app.route("/me", methods=["GET", "POST"])
        def me():
            with lock:
                try:
                    token = protector.acquire_token()
                except Exception:
                    counts["refused"] += 1
                    return jsonify(error="invalid_token"), 401, {"WWW-Authenticate": "Bearer error=invalid_token"}
                return jsonify(name=token.client.client_id, serial=token.serial, echo=request.get_data(as_text=True))

        @app.get("/stats")
        def stats(): return jsonify(**counts)

        @app.get("/secrets")
        def told(): return jsonify(sorted(seen))

        @app.post("/control")
        def controlled():
            with lock:
                control.update({name: int(value) for name, value in request.args.items() if name in control})
                if "forget" in request.args:
                    for token in tokens: token.isRevoked = True
            return jsonify()

        class Handler(WSGIRequestHandler):
            def log_request(self, *arguments): pass

        class Server(ThreadedWSGIServer):
            request_queue_size = 512

        Server("127.0.0.1", port, app, handler=Handler).serve_forever()
        """#
}
