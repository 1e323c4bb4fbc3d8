package dev.superstep.http.connection;

import dev.superstep.problem.Setting;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// Limits of a connection before its request has been read.
///
/// @param addressMax open connections of one address (of IPv6: of one /64)
/// @param unlimited addresses or blocks, such as `10.1.0.0/16`, to which this does not apply:
///   proxies, which bring the connections of many; loopback always is one
/// @param headMax time from the first byte of a request to the end of its head
@ConfigurationProperties("superstep.connections")
record ConnectionSettings(
    @DefaultValue("1000") int addressMax,
    @DefaultValue List<String> unlimited,
    @DefaultValue("10s") Duration headMax) {
  private static final Duration HEAD_MIN = Duration.ofMillis(100);
  private static final Duration HEAD_MAX = Duration.ofMinutes(10);

  ConnectionSettings {
    unlimited = List.copyOf(unlimited);
    new Setting("superstep.connections.address-max").within(1, 1_000_000, addressMax);
    new Setting("superstep.connections.head-max").within(HEAD_MIN, HEAD_MAX, headMax);
    AddressCounts.blocks(unlimited);
  }
}
