package dev.superstep.expression;

/// Limits of one evaluation. Crossing one fails with `expression_too_large`.
///
/// @param sourceMax length of an expression in code points
/// @param nestingMax nesting of its text, and an eighth of the nesting of its syntax tree
/// @param iterationsMax steps of all its comprehensions together
/// @param regexMax size of a compiled regular expression
/// @param segmentsMax segments of a template
/// @param stringMax length of a string in UTF-16 units
/// @param listMax items of a list
/// @param workMax units of work: [WorkBudget] lists the costs; the default is in the order of a
///   second
/// @param result of what an evaluation gives back
record ExpressionLimits(
    int sourceMax,
    int nestingMax,
    int iterationsMax,
    int regexMax,
    int segmentsMax,
    int stringMax,
    int listMax,
    long workMax,
    ResultLimits result) {

  public static final ExpressionLimits DEFAULT =
      new ExpressionLimits(
          8_192,
          64,
          10_000,
          200,
          1_000,
          1 << 20,
          100_000,
          1L << 29,
          new ResultLimits(1_000_000, 100, 16 << 20));

  /// @param nodesMax values within values
  /// @param depthMax nesting of lists and objects
  /// @param bytesMax size when written as JSON, roughly
  public record ResultLimits(int nodesMax, int depthMax, int bytesMax) {}
}
