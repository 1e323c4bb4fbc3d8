package dev.superstep.secret;

import java.util.Optional;
import java.util.regex.Pattern;

/// A secret as headers in definitions name it: `secret:<name>`, or `Bearer secret:<name>`.
///
/// @param scheme what stands before it
public record SecretUse(String scheme, String name) {
  private static final Pattern FORM =
      Pattern.compile("((?:Bearer|Basic|Token) )?secret:([A-Za-z0-9][A-Za-z0-9._-]{0,63})");

  /// @return empty if the text names none
  public static Optional<SecretUse> parse(String text) {
    var matcher = FORM.matcher(text.strip());
    if (!matcher.matches()) {
      return Optional.empty();
    }
    var scheme = matcher.group(1);
    return Optional.of(new SecretUse(scheme == null ? "" : scheme, matcher.group(2)));
  }
}
