package dev.superstep.expression;

/// A definition has more expressions than are compiled.
public final class TooManyExpressionsException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public TooManyExpressionsException(int max) {
    super(
        "more than %d expressions, where each {{ … }} is one; use fewer, or split the graph"
            .formatted(max));
  }
}
