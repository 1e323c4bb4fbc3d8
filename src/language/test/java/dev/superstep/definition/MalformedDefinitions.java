package dev.superstep.definition;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.stream.Stream;

/// Definitions with one thing wrong each, and what must be said about it: the table
/// `definitions/malformed.txt`. Used by the tests of the reader and of the API.
public final class MalformedDefinitions {
  private MalformedDefinitions() {}

  /// One row.
  ///
  /// @param text YAML
  /// @param code of an expected error
  /// @param pointer of that error
  public record Case(String text, String code, String pointer) {
    @Override
    public String toString() {
      return code + " at '" + pointer + "'";
    }
  }

  public static Stream<Case> all() {
    return table().lines().filter(it -> !it.isBlank() && !it.startsWith("#")).map(it -> row(it));
  }

  private static Case row(String line) {
    var cells = line.split(" +", 4);
    var text = cells[3].replace("\\n", "\n");
    var definition =
        switch (cells[2]) {
          case "whole" -> text;
          case "graph" -> graph(text);
          case "channel" -> channel(text);
          case "nodes" -> nodes(text);
          case "edge" -> edge(text);
          default -> throw new IllegalArgumentException(line);
        };
    return new Case(definition, cells[0], cells[1].equals("\"\"") ? "" : cells[1]);
  }

  /// A sound graph with further keys.
  public static String graph(String more) {
    return text("", "", more);
  }

  /// A sound graph whose channel `c` has these keys.
  public static String channel(String keys) {
    return graph("channels:\n  c:\n    " + keys);
  }

  /// A sound graph with a third node.
  public static String nodes(String more) {
    return text("  - " + more + "\n", "", "");
  }

  /// A sound graph with a third edge.
  public static String edge(String keys) {
    return text("", "  - {" + keys + "}\n", "");
  }

  private static String text(String nodes, String edges, String more) {
    return """
    name: g
    nodes:
      - {id: a, type: expression}
      - {id: b, type: router}
    %sedges:
      - {from: __start__, to: a}
      - {from: a, to: b}
    %s%s
    """
        .formatted(nodes, edges, more);
  }

  private static String table() {
    try (var in = MalformedDefinitions.class.getResourceAsStream("/definitions/malformed.txt")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
