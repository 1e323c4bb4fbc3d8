package dev.superstep.security;

import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// Who may call.
///
/// @param apiKeys keys of which every call must carry one as a bearer token; without any the
///   service listens on loopback only
@ConfigurationProperties("superstep")
record SecurityProperties(@DefaultValue List<String> apiKeys) {

  SecurityProperties {
    apiKeys = apiKeys.stream().map(String::strip).filter(key -> !key.isEmpty()).toList();
  }
}
