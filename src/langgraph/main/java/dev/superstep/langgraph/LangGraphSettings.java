package dev.superstep.langgraph;

import dev.superstep.problem.Setting;
import java.util.Set;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// Whether and where clients of the LangGraph Agent Server are answered.
///
/// @param enabled if not, its paths are unknown
/// @param path below which its calls are; never the root, where the console has its pages, which
///   are open to everybody
@ConfigurationProperties("superstep.langgraph")
record LangGraphSettings(
    @DefaultValue("true") boolean enabled, @DefaultValue("/langgraph") String path) {
  private static final Setting PATH = new Setting("superstep.langgraph.path");
  private static final Pattern SEGMENTS = Pattern.compile("(/[a-z0-9][a-z0-9._-]*)+");
  private static final int CHARS_MAX = 100;

  /// First segments that the service itself answers.
  private static final Set<String> TAKEN =
      Set.of(
          "v1",
          "v3",
          "swagger-ui",
          "swagger-ui.html",
          "error",
          "actuator",
          "index.html",
          "runs",
          "inbox",
          "threads",
          "graphs",
          "catalog",
          "assets",
          "icon.svg");

  LangGraphSettings {
    if (path.length() > CHARS_MAX || !SEGMENTS.matcher(path).matches()) {
      throw PATH.invalid(
          "is '%s'; it must be a path such as /langgraph, of lower-case letters, digits, dots, dashes and underscores, without a slash at its end"
              .formatted(path));
    }
    if (TAKEN.contains(path.split("/", -1)[1])) {
      throw PATH.invalid("is '%s', which the service itself answers".formatted(path));
    }
  }
}
