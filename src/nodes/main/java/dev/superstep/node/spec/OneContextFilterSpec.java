package dev.superstep.node.spec;

import java.util.Map;
import java.util.function.Consumer;

/// The table OneContextFilter of the language.
public interface OneContextFilterSpec {
  /// Of type java: what the bean takes
  OneContextFilterSpec config(Map<String, ?> value);

  /// What happens to variables that no rule matches: pass, block
  OneContextFilterSpec defaultBehavior(String value);

  /// Of type java: the Spring bean
  OneContextFilterSpec name(String value);

  /// Higher ones go first
  OneContextFilterSpec priority(double value);

  /// Includes, excludes, transforms
  @Key(form = Key.Form.ITEM)
  OneContextFilterSpec rules(Consumer<ContextFilterRuleSpec> author);

  /// How it is written: rules, java
  OneContextFilterSpec type(String value);
}
