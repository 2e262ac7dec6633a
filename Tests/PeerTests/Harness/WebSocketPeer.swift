/// Both ends of WebSocket as others have written them: `websockets` for Python.
enum WebSocketPeer {
    /// Echoes every message; below `/close` it says goodbye after one.
    static func server(port: UInt16) throws -> ChildProcess {
        let process = try ChildProcess([try Peers.webSockets(), "-c", serverScript, String(port)])
        try process.waitUntilListening(on: port)
        return process
    }

    /// Prints `done` once everything has come back as it was sent.
    static func client(_ url: String) throws -> ChildProcess {
        try ChildProcess([try Peers.webSockets(), "-c", clientScript, url])
    }

    private static let serverScript = """
        import asyncio, sys, websockets

        async def echo(socket):
            async for message in socket:
                await socket.send(message)
                if socket.request.path.endswith("/close"):
                    return await socket.close(4001, "enough")

        async def main():
            async with websockets.serve(echo, "127.0.0.1", int(sys.argv[1]), max_size=None):
                await asyncio.get_running_loop().create_future()

        asyncio.run(main())
        """

    private static let clientScript = """
        import asyncio, os, sys, websockets

        async def main():
            async with websockets.connect(sys.argv[1] + "/echo", max_size=None) as socket:
                large = os.urandom(4 << 20)
                for message in ["", "hello", large]:
                    await socket.send(message)
                    assert await socket.recv() == message
                async def pour():
                    for _ in range(64):
                        await socket.send(large[:65000])
                pouring = asyncio.create_task(pour())
                for _ in range(64):
                    assert await socket.recv() == large[:65000]
                await pouring
                assert await (await socket.ping()) is not None
            async with websockets.connect(sys.argv[1] + "/close") as socket:
                await socket.send("last")
                assert await socket.recv() == "last"
                await socket.wait_closed()
                assert (socket.close_code, socket.close_reason) == (4001, "enough")
            print("done")

        asyncio.run(main())
        """
}
