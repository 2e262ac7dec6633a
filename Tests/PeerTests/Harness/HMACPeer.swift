/// Who verifies signatures with what comes with Python.
enum HMACPeer {
    static let script = #"""
        import base64, hashlib, hmac, time

        used = set()

        def answer(request):
            path, _, query = request.target.partition("?")
            header = lambda name: ", ".join(request.headers.get_all(name, []))
            if path.startswith("/new"):
                key = base64.b64decode("a2V5LW9mLXRoZS1tYXJrZXQ=")
                digest = hashlib.sha256(request.body).hexdigest()
                parts = [request.method, request.target, header("Host"), header("X-Time"), header("X-Nonce"), digest,
                    header("Content-Type"), "v1"]
                made = hmac.new(key, ".".join(parts).encode(), hashlib.sha512).digest()
                expected = "v1=" + base64.b64encode(made).decode()
                assert abs(int(header("X-Time")) / 1000 - time.time()) < 30, header("X-Time")
                assert header("X-Nonce") not in used
                used.add(header("X-Nonce"))
                right = header("X-Signature") == expected and header("X-Key") == "gateway"
            else:
                parts = [request.method.lower(), path, query, header("Date")]
                made = hmac.new(b"key-of-the-old-market", "\n".join(parts).encode(), hashlib.sha1).hexdigest()
                right = header("Authorization") == "HMAC " + made
            return (200 if right else 409), {}, f"{parts}\n{request.headers}"

        serve(answer)
        """#
}
