package dev.superstep.agent;

import dev.superstep.json.JsonLimits;
import dev.superstep.json.Yaml;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/// A definition of the corpus under `/language`, with all that is reported of it.
///
/// @param fix what to write instead, in Markdown
/// @param inEditor whether the JSON Schema for editors finds it
/// @param problems in their order; none: the definition is sound
public record Mistake(
    String title,
    String topic,
    String fix,
    String definition,
    boolean inEditor,
    List<ObjectValue> problems) {

  /// All mistakes: of the form of a definition, and of types.
  public static List<Mistake> all() {
    return Stream.of("structure", "mistakes").flatMap(it -> in(it).stream()).toList();
  }

  static List<Mistake> in(String file) {
    try (InputStream in =
        Objects.requireNonNull(Mistake.class.getResourceAsStream("/language/" + file + ".yaml"))) {
      var text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return ((ListValue) Yaml.read(text, JsonLimits.DEFAULT))
          .stream().map(it -> of((ObjectValue) it)).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Mistake of(ObjectValue entry) {
    return new Mistake(
        text(entry, "title"),
        text(entry, "topic"),
        text(entry, "fix"),
        text(entry, "definition"),
        Value.TRUE.equals(entry.get("editor")),
        ((ListValue) entry.getOr("problems", ListValue.empty()))
            .stream().map(ObjectValue.class::cast).toList());
  }

  static String text(ObjectValue entry, String key) {
    return entry.get(key) instanceof Value.Text(var text) ? text : "";
  }
}
