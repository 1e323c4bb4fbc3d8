package dev.superstep.definition.read;

import dev.superstep.definition.DefinitionLimits;
import dev.superstep.definition.ServerLimits;
import dev.superstep.definition.check.PostingChecks;
import dev.superstep.definition.form.LongForm;
import dev.superstep.definition.type.SchemaReader;
import dev.superstep.expression.Expressions;

/// Assembles readers of definitions.
public final class DefinitionReaders {
  private DefinitionReaders() {}

  public static DefinitionReader of(
      Registered registered, Expressions compiler, DefinitionLimits limits, ServerLimits server) {
    var expressions = new ExpressionReader(compiler);
    var schemas = new SchemaReader();
    var types = registered.types();
    var graphs =
        new GraphReader(
            new ChannelReader(expressions, schemas, registered.merges()),
            new NodeReader(types, new ConfigCheck(schemas), expressions, registered.results()),
            new EdgeReader(expressions),
            new GraphReader.Values(
                new ContextReader(expressions),
                new ContextRules(registered.contexts()),
                schemas,
                new ParamReader(schemas),
                new LimitReader(server),
                new CompactionReader(registered.summarizers()),
                registered.tools()));
    return new DefinitionReader(
        new LongForm.Rules(limits, types.names()),
        graphs,
        new Reachability(types),
        new PostingChecks(types, compiler),
        new TestCaseReader(compiler));
  }
}
