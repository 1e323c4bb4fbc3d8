package dev.superstep.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.json.Yaml;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// The table of scopes in docs/security.md is that of the OpenAPI document. Written by
/// `-Dsuperstep.reference.write=true`.
class ScopesTableTests {
  private static final Path PAGE = Path.of("docs/security.md");
  private static final String START =
      "<!-- scopes: generated from openapi.yaml, ScopesTableTests compares -->\n";
  private static final String END = "<!-- end of scopes -->";
  private static final Set<String> METHODS = Set.of("get", "post", "put", "patch", "delete");

  @Test
  void showsTheScopeOfEveryOperation() throws Exception {
    var page = Files.readString(PAGE);
    var from = page.indexOf(START) + START.length();
    var to = page.indexOf(END);
    if (Boolean.getBoolean("superstep.reference.write")) {
      Files.writeString(PAGE, page.substring(0, from) + table() + page.substring(to));
    } else {
      assertThat(page.substring(from, to))
          .as("write it by -Dsuperstep.reference.write=true")
          .isEqualTo(table());
    }
  }

  private static String table() throws Exception {
    var rows = new TreeMap<String, Set<String>>();
    var document = (ObjectValue) Yaml.read(Files.readString(Path.of("docs/openapi.yaml")));
    member(document, "paths")
        .asMap()
        .forEach((path, item) ->
            ((ObjectValue) item)
                .asMap()
                .forEach((method, operation) -> {
                  if (METHODS.contains(method)) {
                    rows.computeIfAbsent(scope((ObjectValue) operation), _ -> new TreeSet<>())
                        .add("`%s %s`".formatted(method.toUpperCase(Locale.ROOT), path));
                  }
                }));
    var table = new StringBuilder("| scope | operations |\n|---|---|\n");
    rows.forEach((scope, operations) ->
        table.append("| %s | %s |\n".formatted(scope, String.join(", ", operations))));
    return table.toString();
  }

  private static String scope(ObjectValue operation) {
    var name = "x-scopes of " + operation.get("operationId");
    var scopes = (ListValue) Objects.requireNonNull(operation.get("x-scopes"), name);
    return scopes.isEmpty()
        ? "none, and no key"
        : scopes.stream()
            .map(it -> "`" + ((Value.Text) it).value() + "`")
            .collect(Collectors.joining(", "));
  }

  private static ObjectValue member(ObjectValue object, String name) {
    return (ObjectValue) Objects.requireNonNull(object.get(name), name);
  }
}
