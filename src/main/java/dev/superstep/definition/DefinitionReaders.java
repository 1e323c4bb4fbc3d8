package dev.superstep.definition;

import dev.superstep.expression.Expressions;

/// Assembles readers of definitions.
final class DefinitionReaders {
  private DefinitionReaders() {}

  static DefinitionReader of(
      Registered registered, Expressions compiler, DefinitionLimits limits, ServerLimits server) {
    var expressions = new ExpressionReader(compiler);
    var schemas = new SchemaReader();
    var types = registered.types();
    var graphs =
        new GraphReader(
            new ChannelReader(expressions, schemas, registered.merges()),
            new NodeReader(types, new ConfigCheck(types, schemas)),
            new EdgeReader(expressions),
            new GraphReader.Values(
                new ContextReader(expressions),
                new ContextRules(registered.contexts()),
                schemas,
                new LimitReader(server),
                new CompactionReader(registered.summarizers()),
                registered.tools()));
    return new DefinitionReader(
        limits, graphs, new Reachability(types), new PostingChecks(types, compiler));
  }
}
