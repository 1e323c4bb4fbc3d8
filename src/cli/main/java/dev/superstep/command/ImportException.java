package dev.superstep.command;

/// What LangGraph should have written, and where it did not.
final class ImportException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final String problem;

  /// @param pointer JSON pointer to what is wrong; "" is the whole
  ImportException(String pointer, String problem) {
    this(pointer.isEmpty() ? problem : pointer + ": " + problem);
  }

  private ImportException(String problem) {
    super(problem);
    this.problem = problem;
  }

  /// A sentence for the user.
  public String problem() {
    return problem;
  }

  /// @param source which of several documents it is about
  ImportException in(String source) {
    return new ImportException("%s: %s".formatted(source, problem));
  }
}
