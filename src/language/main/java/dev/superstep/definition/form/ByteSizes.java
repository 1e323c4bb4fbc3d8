package dev.superstep.definition.form;

import java.util.Optional;
import java.util.regex.Pattern;

/// Reads byte sizes in definitions: `<n>(B|KB|MB|GB)`, such as `64KB` or `1MB`, each unit 1,024 of
/// the one before, as in the settings of the service.
public final class ByteSizes {
  private static final Pattern FORM = Pattern.compile("(\\d{1,9})(B|KB|MB|GB)");

  private ByteSizes() {}

  /// The size in bytes; empty if the text is none.
  public static Optional<Long> parse(String text) {
    var found = FORM.matcher(text);
    if (!found.matches()) {
      return Optional.empty();
    }
    int shift =
        switch (found.group(2)) {
          case "KB" -> 10;
          case "MB" -> 20;
          case "GB" -> 30;
          default -> 0;
        };
    return Optional.of(Long.parseLong(found.group(1)) << shift);
  }
}
