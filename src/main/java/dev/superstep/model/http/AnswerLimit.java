package dev.superstep.model.http;

import java.io.IOException;
import okhttp3.MediaType;
import okhttp3.ResponseBody;
import okio.Buffer;
import okio.BufferedSource;
import okio.ForwardingSource;
import okio.Okio;
import org.jspecify.annotations.Nullable;

/// Limits the decompressed length of a model's answer, above any valid result of a task; without a
/// limit a provider that does not stop writing takes the memory of the process.
public final class AnswerLimit {
  static final int BYTES_MAX = 8 << 20;

  private long count;

  /// @throws TooLongException if the answer is longer with these bytes
  void count(long bytes) throws TooLongException {
    count += bytes;
    if (count > BYTES_MAX) {
      throw new TooLongException();
    }
  }

  static ResponseBody on(ResponseBody body) {
    return new Limited(body);
  }

  private static final class Limited extends ResponseBody {
    private final ResponseBody body;
    private final BufferedSource source;

    Limited(ResponseBody body) {
      this.body = body;
      this.source = Okio.buffer(counted(body));
    }

    private static ForwardingSource counted(ResponseBody body) {
      var limit = new AnswerLimit();
      return new ForwardingSource(body.source()) {
        @Override
        public long read(Buffer sink, long bytes) throws IOException {
          long read = super.read(sink, bytes);
          limit.count(Math.max(read, 0));
          return read;
        }
      };
    }

    @Override
    public @Nullable MediaType contentType() {
      return body.contentType();
    }

    @Override
    public long contentLength() {
      return body.contentLength();
    }

    @Override
    public BufferedSource source() {
      return source;
    }
  }

  /// An answer over the limit.
  public static final class TooLongException extends IOException {
    private static final long serialVersionUID = 1L;

    TooLongException() {
      super("the answer is longer than %d bytes".formatted(BYTES_MAX));
    }
  }
}
