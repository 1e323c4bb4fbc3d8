package dev.superstep.expression;

import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Map;

/// A piece of a compiled template.
sealed interface TemplatePart {
  record Constant(Value value) implements TemplatePart {}

  record Segment(CelProgram program) implements TemplatePart {}

  /// @param parts constants of text, and segments
  record Mixed(List<TemplatePart> parts) implements TemplatePart {}

  record Items(List<TemplatePart> items) implements TemplatePart {}

  record Members(Map<String, TemplatePart> members) implements TemplatePart {}
}
