/// Both ends of gRPC as others have written them: `grpcio` for Python.
enum GRPCPeer {
    /// Serves calls of all four kinds; their messages are plain text.
    static func server(port: UInt16) throws -> ChildProcess {
        let process = try ChildProcess([try Peers.grpc(), "-c", serverScript, String(port)])
        try process.waitUntilListening(on: port)
        return process
    }

    /// Makes calls of all kinds, and prints `done` once all have come out as they should.
    static func client(_ address: String) throws -> ChildProcess {
        try ChildProcess([try Peers.grpc(), "-c", clientScript, address])
    }

    private static let serverScript = """
        import sys, grpc
        from concurrent import futures

        def unary(request, context):
            if request == b"fail":
                context.abort(grpc.StatusCode.NOT_FOUND, "no such fruit")
            context.set_trailing_metadata((("x-trail", "yes"),))
            return request[::-1]

        def give(request, context):
            for index in range(int(request)):
                yield b"%d" % index

        def take(requests, context):
            return b"%d" % sum(len(request) for request in requests)

        def chat(requests, context):
            for request in requests:
                yield b"re: " + request

        class Handler(grpc.GenericRpcHandler):
            def service(self, details):
                return {
                    "/Fruit/Unary": grpc.unary_unary_rpc_method_handler(unary),
                    "/Fruit/Give": grpc.unary_stream_rpc_method_handler(give),
                    "/Fruit/Take": grpc.stream_unary_rpc_method_handler(take),
                    "/Fruit/Chat": grpc.stream_stream_rpc_method_handler(chat),
                }.get(details.method)

        server = grpc.server(futures.ThreadPoolExecutor(16))
        server.add_generic_rpc_handlers((Handler(),))
        assert server.add_insecure_port("127.0.0.1:" + sys.argv[1])
        server.start()
        server.wait_for_termination()
        """

    private static let clientScript = """
        import queue, sys, grpc

        channel = grpc.insecure_channel(sys.argv[1])

        unary = channel.unary_unary("/Fruit/Unary")
        answer, call = unary.with_call(b"apple", timeout=20)
        assert answer == b"elppa", answer
        assert dict(call.trailing_metadata())["x-trail"] == "yes"
        large = b"x" * 3_000_000
        assert unary(large, timeout=20) == large
        pending = [unary.future(b"%d" % number, timeout=20) for number in range(200)]
        for number, future in enumerate(pending):
            assert future.result() == (b"%d" % number)[::-1]

        def code(call, *arguments):
            try:
                call(*arguments, timeout=20)
            except grpc.RpcError as error:
                return error.code(), error.details()

        assert code(unary, b"fail") == (grpc.StatusCode.NOT_FOUND, "no such fruit")
        assert code(channel.unary_unary("/Fruit/None"), b"")[0] == grpc.StatusCode.UNIMPLEMENTED
        assert code(channel.unary_unary("/Gone/Call"), b"")[0] == grpc.StatusCode.UNAVAILABLE

        give = channel.unary_stream("/Fruit/Give")
        assert list(give(b"1000", timeout=20)) == [b"%d" % index for index in range(1000)]
        take = channel.stream_unary("/Fruit/Take")
        assert take((b"y" * 10_000 for _ in range(300)), timeout=20) == b"3000000"

        questions = queue.Queue()
        chat = channel.stream_stream("/Fruit/Chat")(iter(questions.get, None), timeout=20)
        for number in range(50):
            questions.put(b"%d" % number)
            assert next(chat) == b"re: %d" % number
        questions.put(None)
        assert list(chat) == []
        assert chat.code() == grpc.StatusCode.OK

        endless = channel.unary_stream("/Fruit/Give")(b"100000000", timeout=20)
        next(endless)
        endless.cancel()
        assert unary(b"after", timeout=20) == b"retfa"
        print("done")
        """
}
