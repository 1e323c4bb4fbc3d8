package dev.superstep.context;

import org.jspecify.annotations.Nullable;

/// A condition of a rule or of an edge filter. Equal to another one with the same text.
///
/// @param source as its author wrote it
public record ContextCondition(String source, Test test) {

  /// The compiled expression. The package knows no expression language: this is the port.
  @FunctionalInterface
  public interface Test {
    /// @param context what `context`, `variables`, `metadata`, `history`, `template` mean
    /// @throws RuntimeException if it fails or is no boolean; its message is shown to the author
    boolean holds(PromptContext context, ConditionScope scope);
  }

  /// Compiles conditions.
  @FunctionalInterface
  public interface Compiler {
    /// @throws Invalid if it does not compile
    ContextCondition compile(String source) throws Invalid;
  }

  /// A condition that does not compile.
  public static final class Invalid extends Exception {
    private static final long serialVersionUID = 1L;
    private final int line;
    private final int column;

    /// @param line from 1; 0: not known
    /// @param column from 1; 0: not known
    public Invalid(String message, int line, int column) {
      super(message);
      this.line = line;
      this.column = column;
    }

    public int line() {
      return line;
    }

    public int column() {
      return column;
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ContextCondition condition && source.equals(condition.source);
  }

  @Override
  public int hashCode() {
    return source.hashCode();
  }

  @Override
  public String toString() {
    return source;
  }
}
