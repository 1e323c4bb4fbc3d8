package dev.superstep.expression;

/// The codes of [dev.superstep.graph.ExpressionException].
final class ErrorCodes {
  public static final String FAILED = "expression_failed";
  public static final String TOO_LARGE = "expression_too_large";
  public static final String NOT_JSON = "not_json";
  public static final String NOT_BOOLEAN = "not_boolean";

  private ErrorCodes() {}
}
