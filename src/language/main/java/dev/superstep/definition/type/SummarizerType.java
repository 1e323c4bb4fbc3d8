package dev.superstep.definition.type;

import dev.superstep.engine.node.Summarizer;
import dev.superstep.state.value.ObjectValue;

/// A kind of summarizer, as `summarizer.type` names it in the `compaction` of a channel and in
/// nodes of type `compact`: a Spring bean for each.
public interface SummarizerType {

  /// The value of `type` in a definition.
  String name();

  /// JSON Schema of `summarizer`, checked before [#create] is called. Its member `type` is known
  /// and need not be mentioned; other unknown members should be refused (`additionalProperties:
  /// false`).
  ObjectValue configSchema();

  /// Makes one summarizer. Called whenever a definition is checked or loaded: no effects.
  ///
  /// @param config all but `type`; it satisfies [#configSchema]
  /// @param graph the name of the graph that has it
  /// @throws InvalidNodeException naming every problem the schema could not
  Summarizer create(ObjectValue config, String graph);
}
