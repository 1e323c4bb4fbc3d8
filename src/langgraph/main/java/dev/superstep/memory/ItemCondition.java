package dev.superstep.memory;

import dev.superstep.state.value.Value;

/// What a member of an item's value must be.
///
/// @param member name of a member of the outermost object
/// @param than numbers and texts have an order, with their own kind only
record ItemCondition(String member, Comparison comparison, Value than) {

  /// How the member is compared; all but the first two are false for what is absent.
  enum Comparison {
    EQUAL("is not distinct from"),
    NOT_EQUAL("is distinct from"),
    GREATER(">"),
    GREATER_OR_EQUAL(">="),
    LESS("<"),
    LESS_OR_EQUAL("<=");

    private final String operator;

    Comparison(String operator) {
      this.operator = operator;
    }

    boolean isOrder() {
      return this != EQUAL && this != NOT_EQUAL;
    }

    String operator() {
      return operator;
    }
  }
}
