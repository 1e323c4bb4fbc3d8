package dev.superstep.security;

import dev.superstep.problem.Setting;
import java.util.List;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// The origins whose pages may call from a browser.
///
/// @param origins such as `https://console.example.com`, or `*` for all; none: no page of another
///   origin may
@ConfigurationProperties("superstep.cors")
record CrossOriginSettings(@DefaultValue List<String> origins) {
  static final int ORIGINS_MAX = 100;
  private static final Setting ORIGINS = new Setting("superstep.cors.origins");
  private static final Pattern ORIGIN =
      Pattern.compile("https?://(\\[[0-9a-f:.]+]|[a-z0-9.-]+)(:[0-9]{1,5})?");

  CrossOriginSettings {
    origins = origins.stream().map(String::strip).filter(it -> !it.isEmpty()).toList();
    if (origins.size() > ORIGINS_MAX) {
      throw ORIGINS.invalid("names %d origins; at most %d".formatted(origins.size(), ORIGINS_MAX));
    }
    for (var origin : origins) {
      if (!origin.equals("*") && !ORIGIN.matcher(origin).matches()) {
        throw ORIGINS.invalid(
            "has '%s'; an origin is scheme, host and port in lower case as a browser sends it, such as https://console.example.com, or * for all"
                .formatted(origin));
      }
    }
  }
}
