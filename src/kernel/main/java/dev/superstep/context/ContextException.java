package dev.superstep.context;

/// Thrown when a prompt context could not be computed: the task fails with this code, without
/// retry.
public final class ContextException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  public static final String TRANSFORM_FAILED = "context_transform_failed";
  public static final String FILTER_FAILED = "context_filter_failed";
  public static final String PROCESSOR_FAILED = "context_processor_failed";
  private final String code;

  public ContextException(String code, String message) {
    super(message);
    this.code = code;
  }

  public ContextException(String code, String message, Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  public String code() {
    return code;
  }
}
