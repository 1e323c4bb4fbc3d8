package dev.superstep.node.spec;

import java.util.function.Consumer;

/// The table ContextFilter of the language.
public interface ContextFilterSpec {
  /// What happens to variables that no rule matches: pass, block
  ContextFilterSpec defaultBehavior(String value);

  /// Where filters meet, higher goes first
  ContextFilterSpec priority(double value);

  /// Includes, excludes, transforms
  @Key(form = Key.Form.ITEM)
  ContextFilterSpec rules(Consumer<ContextFilterRuleSpec> author);
}
