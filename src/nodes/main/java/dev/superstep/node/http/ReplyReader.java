package dev.superstep.node.http;

import dev.superstep.transport.BodyDecoder;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
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
/// @param abort closes the connection: closing the stream of an unfinished answer would first read
///   all the rest of it
/// @param lineListener receives a streamed answer while it arrives, unless it is compressed
record ReplyReader(URI uri, long bytesMax, Runnable abort, LineListener lineListener)
    implements HttpClientResponseHandler<HttpReply> {
  private static final String ENCODING = "content-encoding";

  @Override
  public HttpReply handleResponse(ClassicHttpResponse response) throws IOException {
    var headers = new LinkedHashMap<String, String>();
    for (var header : response.getHeaders()) {
      var value = header.getValue() == null ? "" : header.getValue();
      headers.merge(
          header.getName().toLowerCase(Locale.ROOT), value, (left, right) -> left + ", " + right);
    }
    var reply = new HttpReply(uri, response.getCode(), headers, new byte[0]);
    var body = body(response, headers.getOrDefault(ENCODING, ""), listener(reply));
    headers.remove(ENCODING);
    return new HttpReply(uri, response.getCode(), headers, body);
  }

  private Optional<Consumer<String>> listener(HttpReply reply) {
    return reply.status() == HttpStatus.SC_OK && reply.header(ENCODING).isEmpty()
        ? lineListener.listen(reply.mediaType())
        : Optional.empty();
  }

  private byte[] body(
      ClassicHttpResponse response, String encoding, Optional<Consumer<String>> heard)
      throws IOException {
    var entity = response.getEntity();
    if (entity == null) {
      return new byte[0];
    }
    if (entity.getContentLength() > bytesMax) {
      abort.run();
      throw new BodyDecoder.TooLargeException(bytesMax);
    }
    try (var in = entity.getContent()) {
      return read(
          new BodyDecoder(encoding, response.getCode(), bytesMax),
          heard.<InputStream>map(it -> new ObservedLines(in, it)).orElse(in));
    }
  }

  private byte[] read(BodyDecoder decoder, InputStream in) throws IOException {
    try {
      return decoder.read(in);
    } catch (IOException e) {
      abort.run();
      throw e;
    }
  }

  /// An input stream that passes each line to a listener as it is read, and the bytes unchanged to
  /// the reader.
  private static final class ObservedLines extends FilterInputStream {
    private final Consumer<String> listener;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    ObservedLines(InputStream in, Consumer<String> listener) {
      super(in);
      this.listener = listener;
    }

    @Override
    public int read() throws IOException {
      int value = super.read();
      if (value >= 0) {
        observe((byte) value);
      }
      return value;
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
      int read = super.read(to, offset, length);
      for (int i = 0; i < read; i++) {
        observe(to[offset + i]);
      }
      return read;
    }

    private void observe(byte next) {
      if (next == '\n') {
        listener.accept(line.toString(StandardCharsets.UTF_8).stripTrailing());
        line.reset();
      } else {
        line.write(next);
      }
    }
  }
}
