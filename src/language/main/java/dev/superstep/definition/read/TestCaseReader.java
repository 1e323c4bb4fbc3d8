package dev.superstep.definition.read;

import dev.superstep.definition.Codes;
import dev.superstep.definition.form.Item;
import dev.superstep.definition.form.TestTables;
import dev.superstep.expression.Expressions;
import dev.superstep.expression.InvalidExpressionException;
import dev.superstep.graph.Location;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Reads the tests of a definition, which satisfy their tables, and checks what they refer to.
final class TestCaseReader {
  /// Types whose nodes are not answered by a mock, and what answers them.
  private static final Map<String, String> NOT_MOCKED =
      Map.of(
          "tool", "a tool node runs as it is; say in tools what its tools answer",
          "human", "a person answers this node; say in answers what",
          "wait", "waits pass at once; leave the mock out",
          "fail", "a fail node calls nothing; leave the mock out");

  private final MockReader mocks;
  private final ExpectationReader expectations;

  public TestCaseReader(Expressions expressions) {
    this.mocks = new MockReader(expressions);
    this.expectations = new ExpectationReader(expressions);
  }

  /// The tests that have no error; the others have been reported.
  ///
  /// @param graph in long form, with its tests
  public List<TestCase> read(ObjectValue graph, Location at) {
    var types = types(graph);
    var names = new HashSet<String>();
    var cases = new ArrayList<TestCase>();
    for (var item : Item.each(graph, TestTables.TESTS, at)) {
      var name = item.textOrEmpty("name");
      if (!names.add(name) && !name.isEmpty()) {
        item.error("name", Codes.DUPLICATE, "another test is named '%s'".formatted(name));
      }
      cases.add(read(item, types));
    }
    return cases;
  }

  private static Map<String, String> types(ObjectValue graph) {
    var types = new LinkedHashMap<String, String>();
    for (var node : graph.objects("nodes")) {
      node.findText("id").ifPresent(it -> types.put(it, node.textOrEmpty("type")));
    }
    return types;
  }

  private TestCase read(Item test, Map<String, String> types) {
    var names = new TestedNodes(types);
    checkMocked(test, types);
    var begin =
        new TestCase.TestInput(
            test.objectOrEmpty("input"),
            test.objectOrEmpty("thread"),
            test.objectOrEmpty("params"));
    return new TestCase(
        test.index(),
        test.textOrEmpty("name"),
        begin,
        mocks.all(test.in("mocks")),
        test.find("models").flatMap(it -> read(() -> mocks.series(it), test.at("models"))),
        mocks.all(test.in("tools")),
        answers(test.in("answers"), names),
        expectations.read(test.in("expect"), names));
  }

  private static void checkMocked(Item test, Map<String, String> types) {
    var names = new TestedNodes(types);
    var mocks = test.in("mocks");
    for (var node : mocks.object().asMap().keySet()) {
      var here = mocks.at(node);
      names.check(node, here);
      Optional.ofNullable(NOT_MOCKED.get(types.getOrDefault(node, "")))
          .ifPresent(it -> here.error(Codes.NOT_APPLICABLE, it));
    }
  }

  private static Map<String, Series<Value>> answers(Item given, TestedNodes names) {
    var answers = new HashMap<String, Series<Value>>();
    given
        .object()
        .forEach((node, value) -> {
          names.check(node, given.at(node));
          answers.put(
              node,
              value instanceof ListValue list
                  ? new Series<>(list.asList(), Series.SeriesUse.ONCE_EACH)
                  : new Series<>(List.of(value), Series.SeriesUse.EVERY_CALL));
        });
    return answers;
  }

  /// Reads what may hold expressions.
  @FunctionalInterface
  interface Compiling<T> {
    T compile();
  }

  /// What could be compiled; empty if it was reported.
  static <T> Optional<T> read(Compiling<T> compiling, Location at) {
    try {
      return Optional.of(compiling.compile());
    } catch (InvalidExpressionException e) {
      e.violations().forEach(at::error);
      return Optional.empty();
    }
  }
}
