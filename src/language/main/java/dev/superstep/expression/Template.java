package dev.superstep.expression;

import dev.superstep.graph.ExpressionException;
import dev.superstep.graph.Pointer;
import dev.superstep.graph.Scope;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.function.Function;

/// A value whose strings may contain segments `{{ expression }}`, compiled.
///
/// A string that is exactly one segment becomes the expression's value; in any other, null is
/// empty, lists and objects are their JSON. Keys are taken as they are. A missing key fails.
public final class Template {
  private final TemplatePart root;
  private final int segments;
  private final CelProgram.Bounds bounds;

  private Template(TemplatePart root, int segments, CelProgram.Bounds bounds) {
    this.root = root;
    this.segments = segments;
    this.bounds = bounds;
  }

  static Template compile(
      Value value, Function<String, CelProgram> compiler, CelProgram.Bounds bounds) {
    var reading = new TemplateReader(compiler, bounds.limits());
    var root = reading.read(value, "");
    if (!reading.problems().isEmpty()) {
      throw new InvalidExpressionException(reading.problems());
    }
    return new Template(root, reading.segments(), bounds);
  }

  /// @throws ExpressionException when an expression fails; the message begins with the pointer
  public Value render(Scope scope) {
    if (root instanceof TemplatePart.Constant(var value)) {
      return value;
    }
    var value = new Rendering(scope, bounds.newBudget(), bounds.limits()).render(root, "");
    return segments > 1
        ? CelResults.convert(CelValues.view(value), bounds.limits().result())
        : value;
  }

  /// The text of a template that is a string, even if it is a single segment.
  ///
  /// @throws ExpressionException when an expression fails
  public String renderText(Scope scope) {
    return CelValues.inText(render(scope));
  }

  /// One rendering, whose segments share what it may cost.
  private record Rendering(Scope scope, WorkBudget budget, ExpressionLimits limits) {

    Value render(TemplatePart part, String pointer) {
      return switch (part) {
        case TemplatePart.Constant(var value) -> value;
        case TemplatePart.Segment(var program) -> evaluate(program, pointer);
        case TemplatePart.Mixed(var parts) -> {
          var out = new StringBuilder();
          for (var it : parts) {
            out.append(CelValues.inText(render(it, pointer)));
            requireLength(out);
          }
          yield Value.of(out.toString());
        }
        case TemplatePart.Items(var items) -> {
          var rendered = new ArrayList<Value>();
          for (var it : items) {
            rendered.add(render(it, Pointer.child(pointer, rendered.size())));
          }
          yield ListValue.of(rendered);
        }
        case TemplatePart.Members(var members) -> {
          var rendered = new HashMap<String, Value>();
          members.forEach((key, it) -> rendered.put(key, render(it, Pointer.child(pointer, key))));
          yield ObjectValue.of(rendered);
        }
      };
    }

    private Value evaluate(CelProgram program, String pointer) {
      try {
        return program.evaluate(scope, budget);
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
  }
}
