package dev.superstep.idempotency;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.superstep.http.RequestBytes;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.state.value.Hash;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;

/// Identifies repeated calls. Controllers take it as a parameter and pass it to [Idempotency#once];
/// a call without the header has one too, that equals no other.
public final class IdempotencyKey {
  public static final String HEADER = RequestBytes.KEY_HEADER;
  public static final int LENGTH_MAX = 255;
  private static final Pattern ALLOWED = Pattern.compile("[\\x21-\\x7e]{1," + LENGTH_MAX + "}");

  private final HttpServletRequest request;
  private final List<String> headers;

  private IdempotencyKey(HttpServletRequest request, List<String> headers) {
    this.request = request;
    this.headers = headers;
  }

  /// @throws ServiceException if the header is not a valid key
  static IdempotencyKey of(HttpServletRequest request) {
    var headers = Collections.list(request.getHeaders(HEADER));
    if (headers.size() > 1 || !headers.stream().allMatch(ALLOWED.asMatchPredicate())) {
      throw new ServiceException(
          ErrorCode.INVALID_HEADER,
          HEADER + " must be given once, as 1 to 255 visible ASCII characters");
    }
    return new IdempotencyKey(request, headers);
  }

  public boolean isAbsent() {
    return headers.isEmpty();
  }

  /// Hash of API key, method, path and key.
  String scope() {
    var principal = request.getUserPrincipal();
    return hash(
        principal == null ? "" : principal.getName(),
        request.getMethod(),
        request.getRequestURI(),
        headers.getFirst());
  }

  /// Hash of the body. May be called only after the body has been read.
  String requestHash() {
    return HexFormat.of().formatHex(Hash.sha256().digest(RequestBytes.of(request)));
  }

  private static String hash(String... parts) {
    var digest = Hash.sha256();
    for (var part : parts) {
      var bytes = part.getBytes(UTF_8);
      digest.update((bytes.length + ":").getBytes(UTF_8));
      digest.update(bytes);
    }
    return HexFormat.of().formatHex(digest.digest());
  }
}
