package dev.superstep.expression;

/// The codes of [dev.superstep.graph.ExpressionException].
final class ErrorCodes {
  static final String FAILED = "expression_failed";
  static final String TOO_LARGE = "expression_too_large";
  static final String NOT_JSON = "not_json";
  static final String NOT_BOOLEAN = "not_boolean";

  private ErrorCodes() {}
}
