package dev.superstep.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/// A program under `examples/` that stands there in the graph language and for LangGraph.
public enum Program {
  REACT,
  PLAN_AND_RANK,
  EVALUATOR,
  SUPERVISOR,
  RAG,
  APPROVERS,
  SAGA,
  CHAT;

  private static final String TESTS = "\ntests:";

  public String folder() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /// The graph without its tests, which stand last.
  public String definition() throws IOException {
    var text = whole();
    return text.substring(0, text.indexOf(TESTS) + 1);
  }

  public String whole() throws IOException {
    return read("graph.yaml");
  }

  String original() throws IOException {
    return read("langgraph.py");
  }

  private String read(String file) throws IOException {
    return Files.readString(Path.of("examples", folder(), file));
  }
}
