package dev.superstep.node.spec;

import java.util.Map;
import java.util.function.Consumer;

/// The table EdgeDefinition of the language.
public interface EdgeSpec {
  /// CEL: the edge is taken when true
  EdgeSpec condition(String value);

  /// What of the prompt context it passes on
  EdgeSpec contextFilter(Consumer<EdgeContextFilterSpec> author);

  /// For people
  EdgeSpec description(String value);

  /// Codes that take an error edge
  @Key(form = Key.Form.ITEM)
  EdgeSpec errorCodes(String... items);

  /// Channel that takes the error
  EdgeSpec errorTo(String value);

  /// Sources; several make a join
  @Key(form = Key.Form.ITEM)
  EdgeSpec from(String... items);

  /// Unique in the graph
  EdgeSpec id(String value);

  /// Where an empty route leads instead of the end
  EdgeSpec ifEmpty(String value);

  /// When an edge of several sources fires: all, any, activated
  EdgeSpec join(String value);

  /// For people
  EdgeSpec name(String value);

  /// Do not take the edge if its target lacks required context; absent: the target fails: skip
  EdgeSpec onIncompatible(String value);

  /// Kept, and ignored by the engine
  EdgeSpec properties(Map<String, ?> value);

  /// CEL: a node id, a dispatch, or a list of them
  EdgeSpec route(String value);

  /// Route key to node id
  @Key(form = Key.Form.MEMBER)
  EdgeSpec routeMap(String name, String value);

  /// What the route may reach
  @Key(form = Key.Form.ITEM)
  EdgeSpec targets(String... items);

  /// Targets, all of them
  @Key(form = Key.Form.ITEM)
  EdgeSpec to(String... items);

  /// error: taken by failures: sequence, conditional, error
  EdgeSpec type(String value);

  /// For edge_mode first
  EdgeSpec weight(double value);
}
