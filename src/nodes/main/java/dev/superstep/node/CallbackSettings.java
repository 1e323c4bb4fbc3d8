package dev.superstep.node;

import dev.superstep.problem.Setting;
import java.net.URI;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// Where others reach this service.
///
/// @param publicUrl without the path of the API
@ConfigurationProperties("superstep")
public record CallbackSettings(@DefaultValue("http://localhost:8080") String publicUrl) {
  /// Where a server answers that nobody has set anything for.
  public static final CallbackSettings LOCAL = new CallbackSettings("http://localhost:8080");

  public CallbackSettings {
    if (!isAddress(publicUrl)) {
      throw new Setting("superstep.public-url")
          .invalid("must be an http or https URL without query, such as https://runs.example");
    }
  }

  private static boolean isAddress(String url) {
    try {
      var uri = URI.create(url);
      return ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))
          && uri.getHost() != null
          && uri.getQuery() == null
          && uri.getFragment() == null
          && uri.getUserInfo() == null;
    } catch (IllegalArgumentException _) {
      return false;
    }
  }

  /// What comes before the token of a callback.
  String callbacks() {
    var base = publicUrl.endsWith("/") ? publicUrl : publicUrl + "/";
    return base + "v1/callbacks/";
  }
}
