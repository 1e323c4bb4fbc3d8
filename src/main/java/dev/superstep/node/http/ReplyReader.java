package dev.superstep.node.http;

import java.io.IOException;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Locale;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.io.HttpClientResponseHandler;

/// Reads an answer whole, up to a limit.
///
/// @param cut closes the connection: closing the stream of an unfinished answer would first read
///   all the rest of it
record ReplyReader(URI uri, long bytesMax, Runnable cut)
    implements HttpClientResponseHandler<HttpReply> {

  @Override
  public HttpReply handleResponse(ClassicHttpResponse response) throws IOException {
    var headers = new LinkedHashMap<String, String>();
    for (var header : response.getHeaders()) {
      var value = header.getValue() == null ? "" : header.getValue();
      headers.merge(
          header.getName().toLowerCase(Locale.ROOT), value, (left, right) -> left + ", " + right);
    }
    return new HttpReply(uri, response.getCode(), headers, body(response));
  }

  private byte[] body(ClassicHttpResponse response) throws IOException {
    var entity = response.getEntity();
    if (entity == null) {
      return new byte[0];
    }
    if (entity.getContentLength() > bytesMax) {
      cut.run();
      throw new TooLargeException(bytesMax);
    }
    try (var in = entity.getContent()) {
      var bytes = in.readNBytes((int) Math.min(bytesMax + 1, Integer.MAX_VALUE - 8));
      if (bytes.length > bytesMax) {
        cut.run();
        throw new TooLargeException(bytesMax);
      }
      return bytes;
    }
  }

  /// An answer over the limit.
  static final class TooLargeException extends IOException {
    private static final long serialVersionUID = 1L;

    TooLargeException(long bytesMax) {
      super("the answer is larger than superstep.http.response-max (%d bytes)".formatted(bytesMax));
    }
  }
}
