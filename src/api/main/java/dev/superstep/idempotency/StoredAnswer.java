package dev.superstep.idempotency;

import org.springframework.http.HttpHeaders;

/// The stored answer of a call.
///
/// @param status of its answer
/// @param resource names the created or changed resource, which a repeated call shows as it is then
/// @param replayed whether an earlier call stored it
public record StoredAnswer(int status, String resource, boolean replayed) {
  public static final String REPLAYED = "Idempotency-Replayed";

  public StoredAnswer(int status, String resource) {
    this(status, resource, false);
  }

  /// This answer, marked as replayed.
  public StoredAnswer again() {
    return new StoredAnswer(status, resource, true);
  }

  /// The headers of the answer: whether it was replayed.
  public HttpHeaders headers() {
    var headers = new HttpHeaders();
    if (replayed) {
      headers.set(REPLAYED, "true");
    }
    return headers;
  }
}
