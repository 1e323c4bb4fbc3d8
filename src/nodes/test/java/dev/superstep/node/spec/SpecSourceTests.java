package dev.superstep.node.spec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.json.Json;
import dev.superstep.node.FunctionResult;
import dev.superstep.node.NodeFunction;
import dev.superstep.state.value.ObjectValue;
import java.io.IOException;
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// In Java, a graph can be said with every key of the language.
class SpecSourceTests {
  private static final Path FOLDER = Path.of("src/nodes/main/java/dev/superstep/node/spec");
  private static final Path SCHEMA = Path.of("docs/graph.schema.json");
  private static final Set<String> BY_HAND =
      Set.of("GraphDefinition", "Key", "Spoken", "package-info");

  /// Written by the same test with `-Dsuperstep.schema.write=true`, and formatted.
  @Test
  void isWrittenFromTheSchema() throws IOException {
    var written = new SpecSource(Files.readString(SCHEMA)).interfaces();
    if (Boolean.getBoolean("superstep.schema.write")) {
      for (var it : written.entrySet()) {
        Files.writeString(FOLDER.resolve(it.getKey() + ".java"), it.getValue());
      }
    }

    var found = new TreeMap<String, String>();
    try (var files = Files.list(FOLDER)) {
      for (var file : files.toList()) {
        var name = file.getFileName().toString().replace(".java", "");
        if (!BY_HAND.contains(name)) {
          found.put(name, unformatted(Files.readString(file)));
        }
      }
    }
    written.replaceAll((_, source) -> unformatted(source));
    assertThat(found).isEqualTo(written);
  }

  private static String unformatted(String source) {
    return source.replaceAll("(\\s|///)+", " ").replaceAll("\\( ", "(");
  }

  @Test
  void saysEveryKeyWhereItBelongs() throws Exception {
    var schema = (ObjectValue) Json.read(Files.readString(SCHEMA));
    var source = new SpecSource(Files.readString(SCHEMA));
    assertKeys(GraphSpec.class, schema, Set.of("name"));
    for (var table : schema.object("$defs").asMap().entrySet()) {
      var type = SpecSource.typeOf(table.getKey());
      if (!type.equals("GraphSpec") && source.interfaces().containsKey(type)) {
        assertKeys(
            Class.forName(SpecSource.class.getPackageName() + "." + type),
            (ObjectValue) table.getValue(),
            type.equals("NodeSpec") ? Set.of("id", "type") : Set.of());
      }
    }
  }

  /// @param beside keys that are said before the table
  private static void assertKeys(Class<?> type, ObjectValue table, Set<String> beside) {
    var keys = new HashSet<String>();
    for (var method : type.getMethods()) {
      var said = Spoken.said(type, it -> call(it, method));
      assertThat(said.asMap().keySet()).as("%s", method).hasSize(1);
      keys.addAll(said.asMap().keySet());
    }
    keys.addAll(beside);
    var wanted = new HashSet<>(table.object("properties").asMap().keySet());
    wanted.remove("$schema");
    assertThat(keys).as("%s", type).isEqualTo(wanted);
  }

  private static void call(Object table, Method method) {
    try {
      var arguments =
          Arrays.stream(method.getParameterTypes()).map(SpecSourceTests::sample).toArray();
      assertThat(method.invoke(table, arguments)).isSameAs(table);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }

  private static Object sample(Class<?> type) {
    if (type.isArray()) {
      var items = (Object[]) Array.newInstance(type.getComponentType(), 1);
      items[0] = "x";
      return items;
    }
    Consumer<Object> nothing = _ -> {};
    return Map.<Class<?>, Object>of(
            Duration.class,
            Duration.ZERO,
            boolean.class,
            true,
            long.class,
            1L,
            double.class,
            1.0,
            List.class,
            List.of(),
            Map.class,
            Map.of(),
            Consumer.class,
            nothing,
            NodeFunction.class,
            (NodeFunction) (_, _, _) -> FunctionResult.done())
        .getOrDefault(type, "x");
  }
}
