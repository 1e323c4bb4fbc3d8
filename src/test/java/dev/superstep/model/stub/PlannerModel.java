package dev.superstep.model.stub;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// The "model" of `examples/agents/planner`: plans three topics in two layers, finds that sources
/// are missing, and counts what it was told.
final class PlannerModel {
  private static final Pattern QUESTION = Pattern.compile("Question: (.*)");
  private static final Pattern TOPIC = Pattern.compile("Research this topic: (.*)");
  private static final Pattern KNOWN = Pattern.compile("Known so far: (.*)");

  private PlannerModel() {}

  /// Empty if this is none of its prompts.
  static Optional<Reply> reply(String prompt) {
    var question = found(QUESTION, prompt);
    if (prompt.startsWith("Plan the research")) {
      return said(
          "{\"layers\": [[\"the history of %1$s\", \"%1$s today\"], [\"the future of %1$s\"]]}"
              .formatted(question));
    }
    if (prompt.startsWith("Research this topic")) {
      return said("Notes on %s.".formatted(found(TOPIC, prompt)));
    }
    var known = found(KNOWN, prompt);
    if (prompt.startsWith("Is this enough")) {
      return said(
          known.contains("sources")
              ? "{\"more\": []}"
              : "{\"more\": [\"sources about %s\"]}".formatted(question));
    }
    return prompt.startsWith("Write the report")
        ? said("Report on %s, from %d notes.".formatted(question, count(known)))
        : Optional.empty();
  }

  private static Optional<Reply> said(String text) {
    return Optional.of(Reply.text(text));
  }

  private static String found(Pattern pattern, String prompt) {
    var matcher = pattern.matcher(prompt);
    return matcher.find() ? matcher.group(1).strip() : "";
  }

  private static int count(String known) {
    return MiniJson.read(known) instanceof List<?> list ? list.size() : 0;
  }
}
