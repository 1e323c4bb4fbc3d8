package dev.superstep.definition.form;

import static dev.superstep.definition.form.ObjectSchema.emptyCounts;
import static dev.superstep.definition.form.ObjectSchema.nullCounts;
import static dev.superstep.definition.form.ObjectSchema.optional;
import static dev.superstep.definition.form.ObjectSchema.required;
import static dev.superstep.definition.form.SchemaTypes.any;
import static dev.superstep.definition.form.SchemaTypes.checkedText;
import static dev.superstep.definition.form.SchemaTypes.count;
import static dev.superstep.definition.form.SchemaTypes.object;
import static dev.superstep.definition.form.SchemaTypes.oneOf;
import static dev.superstep.definition.form.SchemaTypes.text;

import dev.superstep.definition.Codes;
import java.util.List;

/// The tables of `tests`.
public final class TestTables {
  /// The key of the tests in a definition.
  public static final String TESTS = "tests";

  /// Tests of one definition.
  private static final int TESTS_MAX = 100;

  /// Mocked nodes and tools, answers, supersteps of a path.
  private static final int ITEMS_MAX = 2_000;

  private static final ObjectSchema ERROR =
      ObjectSchema.of(
          "ExpectedError",
          "error",
          required(
              "code",
              checkedText(Names::errorCodes, Codes.INVALID_VALUE),
              "Of the run; * ends a prefix"),
          optional("message", text(), "A part of its message"));

  private static final ObjectSchema EXPECTED =
      ObjectSchema.of(
          "TestExpectation",
          "expect",
          optional(
              "status",
              oneOf(List.of("succeeded", "failed", "interrupted")),
              "Default succeeded, and failed with error"),
          emptyCounts(
              "path",
              new ListSchema(any(), ITEMS_MAX),
              "For each superstep a node id, id*10 for ten tasks, or a list of them"),
          optional("calls", byNode(count(0)), "Node id to number of calls"),
          nullCounts("output", any(), "Members of the output, or a CEL condition over output"),
          nullCounts("state", any(), "Members of the state, or a CEL condition over state"),
          optional("error", ERROR, "With which the run fails"));

  private static final ObjectSchema TEST =
      ObjectSchema.of(
          "TestDefinition",
          "a test",
          required("name", text(), "Unique in the definition"),
          optional("input", object(), "Input of the run"),
          optional("thread", object(), "State that earlier runs of the thread have left"),
          optional("params", object(), "Values of the graph's parameters"),
          optional(
              "mocks", byNode(any()), "Node id to result, list of results by call, or {error}"),
          optional(
              "models",
              new ListSchema(any(), ITEMS_MAX),
              "What models answer llm nodes without a mock, call by call"),
          optional(
              "tools",
              new MapSchema(Names::tool, any(), ITEMS_MAX),
              "Tool name to result, list of results by call, or {error}"),
          optional("answers", byNode(any()), "Node id to answer, or list of answers by question"),
          emptyCounts("expect", EXPECTED, "What must be true at the end"));

  private TestTables() {}

  private static Schema byNode(Schema member) {
    return new MapSchema(Names::reference, member, ITEMS_MAX);
  }

  /// The key of a graph that has them.
  static ObjectSchema.SchemaKey key() {
    return optional(
        TESTS,
        new ListSchema(TEST, TESTS_MAX),
        "Runs with mocks and what is expected of them; no part of the stored definition");
  }
}
