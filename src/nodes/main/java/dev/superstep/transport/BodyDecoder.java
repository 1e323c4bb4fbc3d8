package dev.superstep.transport;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import java.util.zip.ZipException;

/// Reads the body of an answer, compressed or not, up to a limit before and after decompression.
///
/// Only gzip and deflate are unpacked, one of them at a time: their window is 32 KB for any body.
/// Others (xz, lzma, zstd, …) allocate what the first bytes of the body ask for.
///
/// @param encoding the value of `Content-Encoding`; "" if absent
/// @param status of the answer, which decides whether another attempt may help
/// @param bytesMax of the body, packed as well as unpacked
public record BodyDecoder(String encoding, int status, long bytesMax) {
  /// What requests offer.
  public static final String OFFERED = "gzip, deflate";

  private static final Pattern CODING = Pattern.compile("[A-Za-z0-9 ,;=*._+-]{1,60}");
  private static final int BUFFER_BYTES = 8_192;

  /// The low bits of the first byte of a zlib frame: deflate follows.
  private static final int ZLIB = 8;

  /// @throws EncodingException if the body is not encoded as declared, or in an unsupported
  ///   encoding
  /// @throws TooLargeException if it is over the limit
  public byte[] read(InputStream body) throws IOException {
    return read(body, this::all);
  }

  /// @param reading reads the body as it arrives
  /// @throws EncodingException if the body is not encoded as declared, or in an unsupported
  ///   encoding
  public <T> T read(InputStream body, Reading<T> reading) throws IOException {
    return switch (encoding.strip().toLowerCase(Locale.ROOT)) {
      case "", "identity" -> reading.read(new Limited(body, bytesMax));
      case "gzip", "x-gzip" -> unpacked(body, it -> new GZIPInputStream(it, BUFFER_BYTES), reading);
      case "deflate" -> deflated(body, reading);
      default ->
          throw new EncodingException(
              status,
              "the answer has Content-Encoding '%s'; only gzip, deflate and identity are read, one of them"
                  .formatted(CODING.matcher(encoding).matches() ? encoding : "…"));
    };
  }

  /// RFC 9110 requires zlib; some servers omit its frame.
  private <T> T deflated(InputStream body, Reading<T> reading) throws IOException {
    return unpacked(
        body,
        it -> {
          int first = it.read();
          it.unread(first);
          return new Deflated(it, new Inflater((first & 0x0f) != ZLIB));
        },
        reading);
  }

  private <T> T unpacked(InputStream body, Unpacking unpacking, Reading<T> reading)
      throws IOException {
    var packed = new PushbackInputStream(new Limited(body, bytesMax), 1);
    int first = packed.read();
    if (first < 0) {
      return reading.read(InputStream.nullInputStream());
    }
    packed.unread(first);
    try (var in = unpacking.of(packed)) {
      return reading.read(new Limited(in, bytesMax));
    } catch (ZipException e) {
      throw new EncodingException(status, "the body is no " + encoding);
    } catch (EOFException e) {
      throw new EOFException("the answer broke off within its " + encoding);
    }
  }

  private byte[] all(InputStream in) throws IOException {
    var bytes = in.readNBytes((int) Math.min(bytesMax + 1, Integer.MAX_VALUE - 8));
    if (bytes.length > bytesMax) {
      throw new TooLargeException(bytesMax);
    }
    return bytes;
  }

  /// Reads an unpacked body up to the limit.
  @FunctionalInterface
  public interface Reading<T> {
    T read(InputStream body) throws IOException;
  }

  private interface Unpacking {
    InputStream of(PushbackInputStream packed) throws IOException;
  }

  private static final class Deflated extends InflaterInputStream {
    Deflated(InputStream in, Inflater inflater) {
      super(in, inflater, BUFFER_BYTES);
    }

    /// The end, for the stream, is also where it wants a dictionary.
    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
      int read = super.read(to, offset, length);
      if (inf.needsDictionary()) {
        throw new ZipException("it wants a dictionary");
      }
      return read;
    }

    /// A stream ends only inflaters that it made.
    @Override
    public void close() throws IOException {
      super.close();
      inf.end();
    }
  }

  /// Packed members that hold nothing give no byte to count on the other side.
  private static final class Limited extends InputStream {
    private final InputStream in;
    private final long bytesMax;
    private long count;

    Limited(InputStream in, long bytesMax) {
      this.in = in;
      this.bytesMax = bytesMax;
    }

    @Override
    public int read() throws IOException {
      int value = in.read();
      if (value >= 0) {
        count(1);
      }
      return value;
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
      int read = in.read(to, offset, length);
      count(Math.max(read, 0));
      return read;
    }

    @Override
    public int available() throws IOException {
      return in.available();
    }

    private void count(int bytes) throws TooLargeException {
      count += bytes;
      if (count > bytesMax) {
        throw new TooLargeException(bytesMax);
      }
    }
  }

  /// An answer that is packed in a way that is not read.
  public static final class EncodingException extends IOException {
    private static final long serialVersionUID = 1L;
    private final int status;

    EncodingException(int status, String message) {
      super(message);
      this.status = status;
    }

    public int status() {
      return status;
    }
  }

  /// An answer over the limit.
  public static final class TooLargeException extends IOException {
    private static final long serialVersionUID = 1L;
    private final long bytesMax;

    public TooLargeException(long bytesMax) {
      super("the answer is longer than %d bytes".formatted(bytesMax));
      this.bytesMax = bytesMax;
    }

    public long bytesMax() {
      return bytesMax;
    }
  }
}
