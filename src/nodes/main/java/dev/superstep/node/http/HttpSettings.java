package dev.superstep.node.http;

import dev.superstep.problem.Setting;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/// Limits of HTTP nodes.
///
/// @param connectTimeout time to open a connection, TLS included
/// @param timeout time for the whole call when the node has no time-out
/// @param requestMax largest request body
/// @param responseMax largest response body, after decompression
/// @param headersMax number of response headers
/// @param headerMax length of one response header
/// @param connectionsMax open connections, idle ones included
/// @param retryAfterMax longest pause that a `Retry-After` header can ask for
@ConfigurationProperties("superstep.http")
record HttpSettings(
    @DefaultValue("5s") Duration connectTimeout,
    @DefaultValue("5m") Duration timeout,
    @DefaultValue("32MB") DataSize requestMax,
    @DefaultValue("8MB") DataSize responseMax,
    @DefaultValue("100") int headersMax,
    @DefaultValue("16KB") DataSize headerMax,
    @DefaultValue("512") int connectionsMax,
    @DefaultValue("1h") Duration retryAfterMax) {
  private static final Duration TIME_MIN = Duration.ofMillis(1);
  private static final Duration TIME_MAX = Duration.ofDays(1);
  private static final Duration RETRY_MAX = Duration.ofDays(365);

  public HttpSettings {
    new Setting("superstep.http.connect-timeout").within(TIME_MIN, TIME_MAX, connectTimeout);
    new Setting("superstep.http.timeout").within(TIME_MIN, TIME_MAX, timeout);
    new Setting("superstep.http.request-max").size(requestMax);
    new Setting("superstep.http.response-max").size(responseMax);
    new Setting("superstep.http.headers-max").within(1, 100_000, headersMax);
    new Setting("superstep.http.header-max").size(headerMax);
    new Setting("superstep.http.connections-max").within(1, 1_000_000, connectionsMax);
    new Setting("superstep.http.retry-after-max").within(Duration.ZERO, RETRY_MAX, retryAfterMax);
  }
}
