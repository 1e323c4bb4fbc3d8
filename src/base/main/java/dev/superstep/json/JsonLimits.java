package dev.superstep.json;

/// Limits of a text that is read.
///
/// @param depthMax nesting of lists and objects
/// @param charsMax length of the text, and of what YAML aliases expand it to, in UTF-16 units
/// @param aliasesMax YAML aliases in one document
/// @param problemsMax problems after which reading stops
public record JsonLimits(int depthMax, int charsMax, int aliasesMax, int problemsMax) {
  public static final JsonLimits DEFAULT = new JsonLimits(100, 64 << 20, 50, 100);

  public JsonLimits withChars(int max) {
    return new JsonLimits(depthMax, max, aliasesMax, problemsMax);
  }
}
