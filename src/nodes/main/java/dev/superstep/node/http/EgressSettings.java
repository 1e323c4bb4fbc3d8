package dev.superstep.node.http;

import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// The addresses that HTTP nodes may reach beside the public internet.
///
/// @param allow `host[:port]` patterns with `*`, such as `127.0.0.1:*`
@ConfigurationProperties("superstep.egress")
record EgressSettings(@DefaultValue List<String> allow) {
  public EgressSettings {
    EgressPolicy.of(allow);
  }
}
