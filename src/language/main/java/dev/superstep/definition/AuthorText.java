package dev.superstep.definition;

/// A definition as its author wrote it, with comments and in the author's order.
///
/// @param text at most `superstep.definitions.bytes-max` bytes of UTF-8
public record AuthorText(Format format, String text) {

  /// How a definition is written.
  public enum Format {
    JSON,
    YAML,
    /// Several files; kept as YAML.
    ZIP
  }
}
