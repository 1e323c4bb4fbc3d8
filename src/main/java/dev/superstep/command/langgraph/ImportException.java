package dev.superstep.command.langgraph;

/// What LangGraph should have written, and where it did not.
public final class ImportException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /// @param pointer JSON pointer to what is wrong; "" is the whole
  ImportException(String pointer, String problem) {
    super(pointer.isEmpty() ? problem : pointer + ": " + problem);
  }

  private ImportException(String message) {
    super(message);
  }

  /// @param source which of several documents it is about
  ImportException in(String source) {
    return new ImportException("%s: %s".formatted(source, getMessage()));
  }
}
