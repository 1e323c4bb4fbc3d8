package dev.superstep.node.http;

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
    @DefaultValue("1h") Duration retryAfterMax) {}
