import CBrotli
import CZlib
import CZstd
import SluiceContract

/// Codes what tests decode, straight through the libraries.
enum Coder {
    static func code(_ bytes: [UInt8], _ coding: ContentCoding) -> [UInt8] {
        switch coding {
        case .gzip: deflated(bytes, windowBits: 15 + 16)
        case .deflate: deflated(bytes, windowBits: 15)
        case .brotli: brotli(bytes)
        case .zstd: zstd(bytes)
        }
    }

    /// Codings in the order in which `Content-Encoding` lists them.
    static func code(_ bytes: [UInt8], _ codings: CodingStack) -> [UInt8] {
        (0..<codings.count).reduce(bytes) { code($0, codings[$1]) }
    }

    /// - Parameter windowBits: 31 is gzip, 15 zlib's wrapping, -15 bare deflate.
    static func deflated(_ bytes: [UInt8], windowBits: Int32, level: Int32 = 6) -> [UInt8] {
        var stream = z_stream()
        precondition(czlib_deflate_init(&stream, level, windowBits) == Z_OK)
        defer { deflateEnd(&stream) }
        var input = bytes
        return [UInt8](unsafeUninitializedCapacity: Int(deflateBound(&stream, UInt(bytes.count))) + 64) { out, count in
            input.withUnsafeMutableBufferPointer { input in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = out.baseAddress
                stream.avail_out = UInt32(out.count)
                precondition(deflate(&stream, Z_FINISH) == Z_STREAM_END)
            }
            count = Int(stream.total_out)
        }
    }

    static func brotli(_ bytes: [UInt8], quality: Int32 = 5, windowBits: Int32 = 22) -> [UInt8] {
        let room = max(64, BrotliEncoderMaxCompressedSize(bytes.count))
        return [UInt8](unsafeUninitializedCapacity: room) { out, count in
            count = room
            precondition(
                BrotliEncoderCompress(
                    quality, windowBits, BROTLI_MODE_GENERIC, bytes.count, bytes, &count, out.baseAddress) != 0)
        }
    }

    /// - Parameters:
    ///   - windowBits: 0 leaves it to the level.
    ///   - isSized: whether the frame says how long its content is.
    static func zstd(
        _ bytes: [UInt8], level: Int32 = 3, windowBits: Int32 = 0, isSized: Bool = true, hasChecksum: Bool = true
    ) -> [UInt8] {
        let context = ZSTD_createCCtx()
        defer { ZSTD_freeCCtx(context) }
        ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level)
        if windowBits > 0 { ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, windowBits) }
        ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, isSized ? 1 : 0)
        ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, hasChecksum ? 1 : 0)
        return [UInt8](unsafeUninitializedCapacity: ZSTD_compressBound(bytes.count)) { out, count in
            count = ZSTD_compress2(context, out.baseAddress, out.count, bytes, bytes.count)
            precondition(ZSTD_isError(count) == 0)
        }
    }

    /// A frame that decoders skip (RFC 8878 §3.1.2).
    static func skippable(_ content: [UInt8]) -> [UInt8] {
        let size = UInt32(content.count)
        return [0x5A, 0x2A, 0x4D, 0x18] + (0..<4).map { UInt8(size >> (8 * $0) & 0xFF) } + content
    }

    /// JSON such as APIs send, about `count` bytes of it.
    static func document(_ count: Int) -> [UInt8] {
        var text = "["
        var number = 7
        while text.utf8.count < count {
            number = number &* 1_103_515_245 &+ 12345 & 0x7FFF_FFFF
            if text.utf8.count > 1 { text += "," }
            text += #"{"id":\#(number),"name":"fruit \#(number % 97)","ripe":\#(number % 2 == 0)}"#
        }
        return Array((text + "]").utf8)
    }
}
