package dev.superstep.definition;

import dev.superstep.expression.Expressions;
import dev.superstep.state.MergeFunction;
import java.util.Map;

/// Assembles readers of definitions.
final class DefinitionReaders {
  private DefinitionReaders() {}

  /// @param merges the registered merge functions by name
  static DefinitionReader of(
      NodeTypes types,
      Expressions compiler,
      Map<String, MergeFunction> merges,
      DefinitionLimits limits,
      ServerLimits server) {
    var expressions = new ExpressionReader(compiler);
    var schemas = new SchemaReader();
    var graphs =
        new GraphReader(
            new ChannelReader(expressions, schemas, merges),
            new NodeReader(types, new ConfigCheck(types, schemas)),
            new EdgeReader(expressions),
            new GraphReader.Values(
                new ContextReader(expressions), schemas, new LimitReader(server)));
    return new DefinitionReader(limits, graphs, new Reachability(types));
  }
}
