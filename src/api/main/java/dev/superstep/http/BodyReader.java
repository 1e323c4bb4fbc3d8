package dev.superstep.http;

import dev.superstep.http.BodyBudget.Share;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import org.springframework.http.HttpInputMessage;

/// Reads a whole body, within a size and a time: the container's time-out is that of one read, so
/// that a byte a second would never end.
///
/// @param bounds the settings in which they stand, as a refusal names them
record BodyReader(int bytesMax, Duration time, BodyBounds bounds) {
  /// @param size the setting of the size
  /// @param time the setting of the time, or what it is
  record BodyBounds(String size, String time) {
    static final BodyBounds REQUESTS =
        new BodyBounds("superstep.requests.body-max", "superstep.requests.body-time");
  }

  private static final int PART_BYTES = 16_384;

  /// @param share of the request, which pays for what has come
  /// @throws ServiceException `body_too_large`, `request_timeout`, `overloaded`
  byte[] read(HttpInputMessage message, Share share) throws IOException {
    if (message.getHeaders().getContentLength() > bytesMax) {
      throw tooLarge();
    }
    var bytes = new ByteArrayOutputStream();
    var part = new byte[PART_BYTES];
    var in = message.getBody();
    long end = System.nanoTime() + time.toNanos();
    for (int read = in.read(part); read >= 0; read = in.read(part)) {
      bytes.write(part, 0, read);
      if (bytes.size() > bytesMax) {
        throw tooLarge();
      }
      share.cover(bytes.size());
      if (System.nanoTime() - end > 0) {
        throw tooSlow();
      }
    }
    return bytes.toByteArray();
  }

  private ServiceException tooLarge() {
    return new ServiceException(
        ErrorCode.BODY_TOO_LARGE,
        "the body is longer than the %d bytes that %s allows".formatted(bytesMax, bounds.size()));
  }

  private ServiceException tooSlow() {
    return new ServiceException(
        ErrorCode.REQUEST_TIMEOUT,
        "the body was not complete within %s (%d ms)".formatted(bounds.time(), time.toMillis()));
  }
}
