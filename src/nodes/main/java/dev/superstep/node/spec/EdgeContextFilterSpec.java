package dev.superstep.node.spec;

import java.util.function.Consumer;

/// The table EdgeContextFilter of the language.
public interface EdgeContextFilterSpec {
  /// CEL, for type conditional; the edge itself is taken
  EdgeContextFilterSpec condition(String value);

  /// Globs over keys that never pass
  @Key(form = Key.Form.ITEM)
  EdgeContextFilterSpec excludePatterns(String... items);

  /// Globs over keys that pass
  @Key(form = Key.Form.ITEM)
  EdgeContextFilterSpec includePatterns(String... items);

  /// What patterns are about; default variables and metadata: variables, metadata, history, all
  EdgeContextFilterSpec target(String value);

  /// For type transform
  @Key(form = Key.Form.ITEM)
  EdgeContextFilterSpec transformRules(Consumer<ContextTransformRuleSpec> author);

  /// What it does: pass_all, pass_none, selective, conditional, transform
  EdgeContextFilterSpec type(String value);
}
