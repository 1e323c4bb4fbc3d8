package dev.superstep.security;

import dev.superstep.problem.Setting;
import java.util.List;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// The API keys.
///
/// @param apiKeys keys of which every call must carry one as a bearer token; without any the
///   service listens on loopback only
@ConfigurationProperties("superstep")
record SecurityProperties(@DefaultValue List<String> apiKeys) {
  private static final Pattern VISIBLE = Pattern.compile("[\\x21-\\x7e]+");

  public SecurityProperties {
    apiKeys = apiKeys.stream().map(String::strip).filter(key -> !key.isEmpty()).toList();
    if (!apiKeys.stream().allMatch(VISIBLE.asMatchPredicate())) {
      throw new Setting("superstep.api-keys", "SUPERSTEP_API_KEYS")
          .invalid(
              "holds a key that no Authorization header can carry; keys are visible ASCII"
                  + " characters");
    }
  }
}
