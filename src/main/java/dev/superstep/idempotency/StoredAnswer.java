package dev.superstep.idempotency;

import org.springframework.http.HttpHeaders;

/// What a call did.
///
/// @param status of its answer
/// @param resource names what it made or changed, so that a repeated call can show it as it is then
/// @param replayed whether an earlier call did it
public record StoredAnswer(int status, String resource, boolean replayed) {
  private static final String REPLAYED = "Idempotency-Replayed";

  public StoredAnswer(int status, String resource) {
    this(status, resource, false);
  }

  /// The same, done by an earlier call.
  public StoredAnswer again() {
    return new StoredAnswer(status, resource, true);
  }

  /// For the answer: says if it was replayed.
  public HttpHeaders headers() {
    var headers = new HttpHeaders();
    if (replayed) {
      headers.set(REPLAYED, "true");
    }
    return headers;
  }
}
