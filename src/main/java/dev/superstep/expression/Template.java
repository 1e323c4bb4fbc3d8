package dev.superstep.expression;

import dev.superstep.graph.ExpressionException;
import dev.superstep.graph.Scope;
import dev.superstep.json.Pointer;
import dev.superstep.state.ListValue;
import dev.superstep.state.ObjectValue;
import dev.superstep.state.Value;
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
  private final ExpressionLimits limits;

  private Template(TemplatePart root, int segments, ExpressionLimits limits) {
    this.root = root;
    this.segments = segments;
    this.limits = limits;
  }

  static Template compile(
      Value value, Function<String, CelProgram> compiler, ExpressionLimits limits) {
    var reading = new TemplateReader(compiler);
    var root = reading.read(value, "");
    if (!reading.problems().isEmpty()) {
      throw new InvalidExpressionException(reading.problems());
    }
    return new Template(root, reading.segments(), limits);
  }

  /// Whether there is nothing to evaluate.
  public boolean isConstant() {
    return segments == 0;
  }

  /// @throws ExpressionException when an expression fails; the message begins with the pointer
  public Value render(Scope scope) {
    if (root instanceof TemplatePart.Constant(var value)) {
      return value;
    }
    var value = render(root, scope, "");
    return segments > 1 ? Results.convert(CelValues.view(value), limits.result()) : value;
  }

  /// The text of a template that is a string, even if it is a single segment.
  ///
  /// @throws ExpressionException when an expression fails
  public String renderText(Scope scope) {
    return CelValues.inText(render(scope));
  }

  private Value render(TemplatePart part, Scope scope, String pointer) {
    return switch (part) {
      case TemplatePart.Constant(var value) -> value;
      case TemplatePart.Segment(var program) -> evaluate(program, scope, pointer);
      case TemplatePart.Mixed(var parts) -> {
        var out = new StringBuilder();
        for (var it : parts) {
          out.append(CelValues.inText(render(it, scope, pointer)));
          requireLength(out);
        }
        yield Value.of(out.toString());
      }
      case TemplatePart.Items(var items) -> {
        var rendered = new ArrayList<Value>();
        for (var it : items) {
          rendered.add(render(it, scope, Pointer.child(pointer, rendered.size())));
        }
        yield ListValue.of(rendered);
      }
      case TemplatePart.Members(var members) -> {
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
}
