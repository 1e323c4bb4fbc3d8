package dev.superstep.expression;

import java.util.Set;

/// What comes from outside and starts runs, by the variables of its expressions.
public enum TriggerKind {
  WEBHOOK,
  EVENT;

  Set<String> variables() {
    return switch (this) {
      case WEBHOOK -> Set.of("body", "headers");
      case EVENT -> Set.of("event");
    };
  }
}
