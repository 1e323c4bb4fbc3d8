package dev.superstep.client;

import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Optional;

/// Where the service is, and how patient the client is.
///
/// @param apiKey may be empty
/// @param retries how often a request is repeated that found the service away or busy
/// @param retryPause the first pause; it doubles up to ten seconds
/// @param retryAfterMax a `Retry-After` beyond this is a failure at once
/// @param timeout how long one request may take, which is more than the longest wait
/// @param idle after so long a silence a stream is taken for broken
public record Settings(
    URI baseUrl,
    String apiKey,
    int retries,
    Duration retryPause,
    Duration retryAfterMax,
    Duration timeout,
    Duration idle,
    HttpClient http) {

  /// From `SUPERSTEP_URL` and `SUPERSTEP_API_KEY`.
  public static Settings ofEnvironment() {
    return of(
        URI.create(variable("SUPERSTEP_URL").orElse("http://127.0.0.1:8080")),
        variable("SUPERSTEP_API_KEY").orElse(""));
  }

  public static Settings of(URI baseUrl, String apiKey) {
    return new Settings(
        baseUrl,
        apiKey,
        4,
        Duration.ofMillis(500),
        Duration.ofMinutes(1),
        Duration.ofSeconds(90),
        Duration.ofSeconds(45),
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .build());
  }

  public Settings withRetries(int retries, Duration firstPause, Duration retryAfterMax) {
    return new Settings(
        baseUrl, apiKey, retries, firstPause, retryAfterMax, timeout, idle, http);
  }

  public Settings withTimeouts(Duration timeout, Duration idle) {
    return new Settings(
        baseUrl, apiKey, retries, retryPause, retryAfterMax, timeout, idle, http);
  }

  /// A client of your own: proxies, certificates, executors.
  public Settings withHttp(HttpClient http) {
    return new Settings(
        baseUrl, apiKey, retries, retryPause, retryAfterMax, timeout, idle, http);
  }

  private static Optional<String> variable(String name) {
    return Optional.ofNullable(System.getenv(name)).filter(it -> !it.isBlank());
  }

  /// Without the key.
  @Override
  public String toString() {
    return "Settings[" + baseUrl + "]";
  }
}
