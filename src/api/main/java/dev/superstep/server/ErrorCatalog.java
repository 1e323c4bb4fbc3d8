package dev.superstep.server;

import dev.superstep.json.Yaml;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.springframework.stereotype.Component;
import org.springframework.util.function.SingletonSupplier;

/// Explains the codes that the service sends. The texts are read at the first request for one: most
/// processes get none.
@Component
final class ErrorCatalog {
  private static final String TEXTS = "/problems/codes.yaml";
  private final SingletonSupplier<List<Explanation>> all = SingletonSupplier.of(ErrorCatalog::read);

  /// In the order of the file, which is by subject.
  public List<Explanation> all() {
    return all.obtain();
  }

  public Optional<Explanation> find(String code) {
    return all().stream()
        .filter(it -> it.code().equals(code))
        .findFirst()
        .or(() -> all().stream().filter(it -> it.covers(code)).findFirst());
  }

  private static List<Explanation> read() {
    try (var in = Objects.requireNonNull(ErrorCatalog.class.getResourceAsStream(TEXTS))) {
      var texts = (ObjectValue) Yaml.read(new String(in.readAllBytes(), StandardCharsets.UTF_8));
      var read = new ArrayList<Explanation>();
      texts.forEach((code, entry) -> read.add(explanation(code, (ObjectValue) entry)));
      return List.copyOf(read);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Explanation explanation(String code, ObjectValue entry) {
    var found = texts(entry, "found").stream().map(CodeSource::of).toList();
    var example =
        Explanation.example(
            entry.has("as") ? text(entry, "as") : code,
            found.getFirst(),
            text(entry, "at"),
            text(entry, "says"));
    return new Explanation(
        code, found, text(entry, "what"), texts(entry, "causes"), text(entry, "do"), example);
  }

  private static List<String> texts(ObjectValue entry, String key) {
    return entry.get(key) instanceof ListValue list
        ? list.stream().map(it -> ((Value.Text) it).value()).toList()
        : List.of();
  }

  private static String text(ObjectValue entry, String key) {
    return entry.get(key) instanceof Value.Text(var text) ? text : "";
  }
}
