package dev.superstep.definition.form;

import dev.superstep.definition.Codes;
import dev.superstep.definition.DefinitionLimits;
import dev.superstep.graph.Location;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ObjectValue;
import java.util.Collection;
import java.util.List;

/// A definition without abbreviations. The long form of a long form is itself.
///
/// @param origins where its author wrote what it has
public record LongForm(ObjectValue definition, Origins origins) {
  /// Of a text that could not be read.
  public static final LongForm NONE = new LongForm(ObjectValue.empty(), Origins.NONE);

  /// What abbreviations are checked against.
  ///
  /// @param nodeTypes the names that `defaults` may have
  public record Rules(DefinitionLimits limits, Collection<String> nodeTypes) {
    public Rules {
      nodeTypes = List.copyOf(nodeTypes);
    }
  }

  /// Expands a definition that satisfies the schema, as far as it could be read.
  ///
  /// @param at where the definition stands in the author's text, to which problems are added
  public static LongForm of(ObjectValue definition, Rules rules, Location at) {
    var origins = new Origins.Builder();
    var withPrompts = Prompts.expand(definition, rules.limits().bytesMax(), at, origins);
    var withDefaults = new Defaults(rules.nodeTypes(), origins).apply(withPrompts, at);
    var expanded =
        InlineGraphs.each(
            expanded(withDefaults, rules, at, origins),
            at,
            (graph, here) -> expanded(graph, rules, here, origins));
    long more = Canonical.size(expanded) - Canonical.size(definition);
    if (more > rules.limits().bytesMax()) {
      at.error(
          Codes.TOO_MANY,
          "defaults, prompts and routing on nodes add %d bytes to the definition that is stored, at most %d are allowed; give large values to fewer nodes"
              .formatted(more, rules.limits().bytesMax()));
      return NONE;
    }
    InlineGraphs.inherit(expanded, at, origins);
    return new LongForm(expanded, origins.build());
  }

  private static ObjectValue expanded(
      ObjectValue graph, Rules rules, Location at, Origins.Builder origins) {
    var withTemplate = AgentTemplate.expand(graph, at, origins);
    var withRetries = RetryLists.expand(withTemplate, at, origins);
    return NodeRouting.expand(withRetries, rules.limits(), at, origins);
  }
}
