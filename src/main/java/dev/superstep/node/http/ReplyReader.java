package dev.superstep.node.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpStatus;
import org.apache.hc.core5.http.io.HttpClientResponseHandler;

/// Reads an answer whole, up to a limit.
///
/// @param cut closes the connection: closing the stream of an unfinished answer would first read
///   all the rest of it
/// @param lines hears of an answer that streams while it arrives
record ReplyReader(URI uri, long bytesMax, Runnable cut, LineListener lines)
    implements HttpClientResponseHandler<HttpReply> {
  private static final int CHUNK = 8 << 10;

  @Override
  public HttpReply handleResponse(ClassicHttpResponse response) throws IOException {
    var headers = new LinkedHashMap<String, String>();
    for (var header : response.getHeaders()) {
      var value = header.getValue() == null ? "" : header.getValue();
      headers.merge(
          header.getName().toLowerCase(Locale.ROOT), value, (left, right) -> left + ", " + right);
    }
    var reply = new HttpReply(uri, response.getCode(), headers, new byte[0]);
    var heard =
        response.getCode() == HttpStatus.SC_OK
            ? lines.listen(reply.mediaType())
            : Optional.<Consumer<String>>empty();
    return new HttpReply(uri, response.getCode(), headers, body(response, heard));
  }

  private byte[] body(ClassicHttpResponse response, Optional<Consumer<String>> heard)
      throws IOException {
    var entity = response.getEntity();
    if (entity == null) {
      return new byte[0];
    }
    if (entity.getContentLength() > bytesMax) {
      cut.run();
      throw new TooLargeException(bytesMax);
    }
    try (var in = entity.getContent()) {
      int max = (int) Math.min(bytesMax + 1, Integer.MAX_VALUE - 8);
      var bytes = heard.isEmpty() ? in.readNBytes(max) : lines(in, max, heard.get());
      if (bytes.length > bytesMax) {
        cut.run();
        throw new TooLargeException(bytesMax);
      }
      return bytes;
    }
  }

  /// Reads as `readNBytes` does, and says each line when its end is there.
  private static byte[] lines(InputStream in, int max, Consumer<String> heard) throws IOException {
    var body = new ByteArrayOutputStream();
    var line = new ByteArrayOutputStream();
    var chunk = new byte[CHUNK];
    int read = 0;
    while (body.size() < max && read >= 0) {
      read = in.read(chunk, 0, Math.min(CHUNK, max - body.size()));
      for (int i = 0; i < read; i++) {
        if (chunk[i] == '\n') {
          heard.accept(line.toString(StandardCharsets.UTF_8).stripTrailing());
          line.reset();
        } else {
          line.write(chunk[i]);
        }
      }
      body.write(chunk, 0, Math.max(0, read));
    }
    return body.toByteArray();
  }

  /// An answer over the limit.
  static final class TooLargeException extends IOException {
    private static final long serialVersionUID = 1L;

    TooLargeException(long bytesMax) {
      super("the answer is larger than superstep.http.response-max (%d bytes)".formatted(bytesMax));
    }
  }
}
