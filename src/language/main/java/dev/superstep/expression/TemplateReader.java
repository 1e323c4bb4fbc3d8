package dev.superstep.expression;

import dev.superstep.graph.Pointer;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.function.Function;

/// Compiles the strings of a value and collects their problems.
final class TemplateReader {
  private final Function<String, CelProgram> compiler;
  private final List<ExpressionProblem> problems = new ArrayList<>();
  private final int segmentsMax;
  private int segments;

  TemplateReader(Function<String, CelProgram> compiler, ExpressionLimits limits) {
    this.compiler = compiler;
    this.segmentsMax = limits.segmentsMax();
  }

  List<ExpressionProblem> problems() {
    return problems;
  }

  int segments() {
    return segments;
  }

  TemplatePart read(Value value, String pointer) {
    int before = segments + problems.size();
    var part =
        switch (value) {
          case Value.Text(var text) -> text(text, pointer);
          case ListValue list -> list(list, pointer);
          case ObjectValue object -> object(object, pointer);
          case Value.Null _, Value.Bool _, Value.Int _, Value.Real _ ->
              new TemplatePart.Constant(value);
        };
    return segments + problems.size() == before ? new TemplatePart.Constant(value) : part;
  }

  private TemplatePart list(ListValue list, String pointer) {
    var items = new ArrayList<TemplatePart>();
    list.forEach(it -> items.add(read(it, Pointer.child(pointer, items.size()))));
    return new TemplatePart.Items(items);
  }

  private TemplatePart object(ObjectValue object, String pointer) {
    var members = new HashMap<String, TemplatePart>();
    object.forEach((key, it) -> members.put(key, read(it, Pointer.child(pointer, key))));
    return new TemplatePart.Members(members);
  }

  private TemplatePart text(String text, String pointer) {
    var parts = new ArrayList<TemplatePart>();
    int done = 0;
    for (int open = text.indexOf("{{"); open >= 0; open = text.indexOf("{{", done)) {
      literal(parts, text.substring(done, open));
      int close = SourceText.endOfSegment(text, open + 2);
      if (close < 0) {
        var at = Position.of(text, open);
        problems.add(at.problem("'{{' without '}}'; for braces write {{ '{{' }}").under(pointer));
        return new TemplatePart.Mixed(parts);
      }
      if (++segments > segmentsMax) {
        refuseMore(text, open, pointer);
        return new TemplatePart.Mixed(parts);
      }
      segment(parts, text.substring(open + 2, close), Position.of(text, open + 2), pointer);
      done = close + 2;
    }
    literal(parts, text.substring(done));
    return parts.size() == 1 && parts.getFirst() instanceof TemplatePart.Segment only
        ? only
        : new TemplatePart.Mixed(parts);
  }

  /// Once, and nothing behind it is compiled.
  private void refuseMore(String text, int open, String pointer) {
    if (segments == segmentsMax + 1) {
      var at = Position.of(text, open);
      problems.add(
          at.problem(
                  "the template has more than %d segments; write the list with one expression"
                      .formatted(segmentsMax))
              .under(pointer));
    }
  }

  private static void literal(List<TemplatePart> parts, String text) {
    if (!text.isEmpty()) {
      parts.add(new TemplatePart.Constant(Value.of(text)));
    }
  }

  private void segment(List<TemplatePart> parts, String source, Position start, String pointer) {
    try {
      parts.add(new TemplatePart.Segment(compiler.apply(source)));
    } catch (InvalidExpressionException e) {
      for (var problem : e.problems()) {
        var at = new Position(problem.line(), problem.column()).after(start);
        problems.add(at.problem(problem.message()).under(pointer));
      }
    }
  }
}
