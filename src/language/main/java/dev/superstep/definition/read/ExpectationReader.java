package dev.superstep.definition.read;

import dev.superstep.definition.Codes;
import dev.superstep.definition.form.Item;
import dev.superstep.definition.read.Expectation.Check;
import dev.superstep.definition.read.Expectation.Content;
import dev.superstep.definition.read.Expectation.ExpectedError;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.expression.Expressions;
import dev.superstep.graph.Location;
import dev.superstep.graph.Pointer;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Reads what a test expects.
final class ExpectationReader {
  private static final String PATH =
      "must be a node id, a node id with a number of tasks such as research*10 or research*, or a"
          + " list of them";

  private final Expressions expressions;

  ExpectationReader(Expressions expressions) {
    this.expressions = expressions;
  }

  Expectation read(Item expected, TestedNodes names) {
    var error =
        expected
            .findObject("error")
            .map(it -> new ExpectedError(it.textOrEmpty("code"), it.textOrEmpty("message")));
    var standard = error.isPresent() ? RunStatus.FAILED : RunStatus.SUCCEEDED;
    var status =
        expected
            .findText("status")
            .map(it -> RunStatus.valueOf(it.toUpperCase(Locale.ROOT)))
            .orElse(standard);
    if (error.isPresent() && status != RunStatus.FAILED) {
      expected.error("status", Codes.NOT_APPLICABLE, "a run with an error is failed");
    }
    return new Expectation(
        status,
        expected.has("path")
            ? Optional.of(path(expected.listOrEmpty("path"), names, expected.at("path")))
            : Optional.empty(),
        calls(expected.in("calls"), names),
        content(expected.find("output"), expected.at("output")),
        content(expected.find("state"), expected.at("state")),
        error);
  }

  private static Map<String, Long> calls(Item expected, TestedNodes names) {
    var calls = new HashMap<String, Long>();
    for (var node : expected.object().asMap().keySet()) {
      names.check(node, expected.at(node));
      expected.findWhole(node).ifPresent(it -> calls.put(node, it));
    }
    return calls;
  }

  private static List<PathStep> path(ListValue list, TestedNodes names, Location at) {
    var steps = new ArrayList<PathStep>();
    for (int i = 0; i < list.size(); i++) {
      var parts = new ArrayList<PathStep.StepPart>();
      if (list.get(i) instanceof ListValue together && !together.isEmpty()) {
        for (int j = 0; j < together.size(); j++) {
          part(together.get(j), names, at.item(i).item(j)).ifPresent(parts::add);
        }
      } else {
        part(list.get(i), names, at.item(i)).ifPresent(parts::add);
      }
      checkOnce(parts, at.item(i));
      steps.add(new PathStep(parts));
    }
    return steps;
  }

  private static void checkOnce(List<PathStep.StepPart> parts, Location at) {
    if (parts.stream().map(PathStep.StepPart::node).distinct().count() < parts.size()) {
      at.error(Codes.DUPLICATE, "names a node twice; write research*2 for two tasks of one node");
    }
  }

  private static Optional<PathStep.StepPart> part(Value value, TestedNodes names, Location at) {
    var part =
        value instanceof Value.Text(var text)
            ? PathStep.StepPart.parse(text)
            : Optional.<PathStep.StepPart>empty();
    if (part.isEmpty()) {
      at.error(Codes.INVALID_VALUE, PATH);
    }
    part.ifPresent(it -> names.check(it.node(), at));
    return part;
  }

  private Optional<Content> content(Optional<Value> written, Location here) {
    return written.flatMap(value ->
        switch (value) {
          case ObjectValue members -> Optional.of(new Content.ExpectedMembers(members));
          case Value.Text(var source) ->
              Optional.of(new Content.Conditions(check("", source, here).stream().toList()));
          case ListValue list -> Optional.of(new Content.Conditions(checks(list, here)));
          case Value.Null _, Value.Bool _, Value.Int _, Value.Real _ -> {
            refuse(here);
            yield Optional.empty();
          }
        });
  }

  private static void refuse(Location at) {
    at.error(
        Codes.WRONG_TYPE,
        "must be an object of expected members, a CEL condition, or a list of conditions");
  }

  private List<Check> checks(ListValue sources, Location at) {
    var checks = new ArrayList<Check>();
    for (int i = 0; i < sources.size(); i++) {
      if (sources.get(i) instanceof Value.Text(var source)) {
        check(Pointer.child("", i), source, at.item(i)).ifPresent(checks::add);
      } else {
        refuse(at.item(i));
      }
    }
    return checks;
  }

  private Optional<Check> check(String pointer, String source, Location at) {
    return TestCaseReader.read(() -> expressions.compileExpectation(source), at)
        .map(it -> new Check(pointer, source, it));
  }
}
