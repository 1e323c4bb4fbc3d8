package dev.superstep.expression;

import dev.superstep.graph.ExpressionException;
import dev.superstep.graph.Scope;
import dev.superstep.json.Pointer;
import dev.superstep.state.Canonical;
import dev.superstep.state.ListValue;
import dev.superstep.state.ObjectValue;
import dev.superstep.state.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// A value whose strings may contain segments `{{ expression }}`, compiled.
///
/// A string that is exactly one segment becomes the expression's value; in any other, null is
/// empty, lists and objects are their JSON. Keys are taken as they are. A missing key fails.
public final class Template {
  private final Part root;
  private final int segments;
  private final ExpressionLimits limits;

  private Template(Part root, int segments, ExpressionLimits limits) {
    this.root = root;
    this.segments = segments;
    this.limits = limits;
  }

  private sealed interface Part {
    record Constant(Value value) implements Part {}

    record Segment(CelProgram program) implements Part {}

    /// @param parts constants of text, and segments
    record Mixed(List<Part> parts) implements Part {}

    record Items(List<Part> items) implements Part {}

    record Members(Map<String, Part> members) implements Part {}
  }

  static Template compile(
      Value value, Function<String, CelProgram> compiler, ExpressionLimits limits) {
    var reading = new Reading(compiler);
    var root = reading.read(value, "");
    if (!reading.problems.isEmpty()) {
      throw new InvalidExpressionException(reading.problems);
    }
    return new Template(root, reading.segments, limits);
  }

  /// Whether there is nothing to evaluate.
  public boolean isConstant() {
    return segments == 0;
  }

  /// @throws ExpressionException when an expression fails; the message begins with the pointer
  public Value render(Scope scope) {
    if (root instanceof Part.Constant(var value)) {
      return value;
    }
    var value = render(root, scope, "");
    return segments > 1 ? Results.convert(CelValues.view(value), limits.result()) : value;
  }

  /// The text of a template that is a string, even if it is a single segment.
  ///
  /// @throws ExpressionException when an expression fails
  public String renderText(Scope scope) {
    return text(render(scope));
  }

  private Value render(Part part, Scope scope, String pointer) {
    return switch (part) {
      case Part.Constant(var value) -> value;
      case Part.Segment(var program) -> evaluate(program, scope, pointer);
      case Part.Mixed(var parts) -> {
        var out = new StringBuilder();
        for (var it : parts) {
          out.append(text(render(it, scope, pointer)));
          requireLength(out);
        }
        yield Value.of(out.toString());
      }
      case Part.Items(var items) -> {
        var rendered = new ArrayList<Value>();
        for (var it : items) {
          rendered.add(render(it, scope, Pointer.child(pointer, rendered.size())));
        }
        yield ListValue.of(rendered);
      }
      case Part.Members(var members) -> {
        var rendered = new HashMap<String, Value>();
        members.forEach(
            (key, it) -> rendered.put(key, render(it, scope, Pointer.child(pointer, key))));
        yield ObjectValue.of(rendered);
      }
    };
  }

  private static Value evaluate(CelProgram program, Scope scope, String pointer) {
    try {
      return program.evaluate(scope);
    } catch (ExpressionException e) {
      throw pointer.isEmpty()
          ? e
          : new ExpressionException(e.code(), pointer + ": " + e.getMessage());
    }
  }

  private void requireLength(StringBuilder out) {
    int max = limits.result().bytesMax();
    if (out.length() > max) {
      throw new ExpressionException(
          ErrorCodes.TOO_LARGE, "the text gets longer than %d characters".formatted(max));
    }
  }

  private static String text(Value value) {
    return switch (value) {
      case Value.Null _ -> "";
      case Value.Text(var text) -> text;
      case Value.Bool _, Value.Int _, Value.Real _, ListValue _, ObjectValue _ ->
          Canonical.text(value);
    };
  }

  /// Compiles the strings of a value and gathers their problems.
  private static final class Reading {
    private final Function<String, CelProgram> compiler;
    private final List<ExpressionProblem> problems = new ArrayList<>();
    private int segments;

    Reading(Function<String, CelProgram> compiler) {
      this.compiler = compiler;
    }

    Part read(Value value, String pointer) {
      int before = segments + problems.size();
      var part =
          switch (value) {
            case Value.Text(var text) -> text(text, pointer);
            case ListValue list -> {
              var items = new ArrayList<Part>();
              list.forEach(it -> items.add(read(it, Pointer.child(pointer, items.size()))));
              yield new Part.Items(items);
            }
            case ObjectValue object -> {
              var members = new HashMap<String, Part>();
              object.forEach((key, it) -> members.put(key, read(it, Pointer.child(pointer, key))));
              yield new Part.Members(members);
            }
            case Value.Null _, Value.Bool _, Value.Int _, Value.Real _ -> new Part.Constant(value);
          };
      return segments + problems.size() == before ? new Part.Constant(value) : part;
    }

    private Part text(String text, String pointer) {
      var parts = new ArrayList<Part>();
      int done = 0;
      for (int open = text.indexOf("{{"); open >= 0; open = text.indexOf("{{", done)) {
        literal(parts, text.substring(done, open));
        int close = SourceText.endOfSegment(text, open + 2);
        if (close < 0) {
          var at = Position.of(text, open);
          problems.add(at.problem("'{{' without '}}'; for braces write {{ '{{' }}").under(pointer));
          return new Part.Mixed(parts);
        }
        segment(parts, text, open + 2, close, pointer);
        done = close + 2;
      }
      literal(parts, text.substring(done));
      return parts.size() == 1 && parts.getFirst() instanceof Part.Segment only
          ? only
          : new Part.Mixed(parts);
    }

    private static void literal(List<Part> parts, String text) {
      if (!text.isEmpty()) {
        parts.add(new Part.Constant(Value.of(text)));
      }
    }

    private void segment(List<Part> parts, String text, int start, int end, String pointer) {
      segments++;
      try {
        parts.add(new Part.Segment(compiler.apply(text.substring(start, end))));
      } catch (InvalidExpressionException e) {
        var from = Position.of(text, start);
        for (var problem : e.problems()) {
          var at = new Position(problem.line(), problem.column()).after(from);
          problems.add(at.problem(problem.message()).under(pointer));
        }
      }
    }
  }
}
