package dev.superstep.secret;

import java.util.Optional;
import java.util.regex.Pattern;

/// A secret as headers in definitions name it: `secret:<name>`, or `Bearer secret:<name>`.
///
/// @param scheme what stands before it
public record SecretUse(String scheme, String name) {
  private static final Pattern FORM =
      Pattern.compile("((?:Bearer|Basic|Token) )?secret:([A-Za-z0-9][A-Za-z0-9._-]{0,63})");

  private static final Pattern ANYWHERE =
      Pattern.compile("(?<![A-Za-z0-9_])secret:[A-Za-z0-9]", Pattern.CASE_INSENSITIVE);

  /// The error for a URL that names a secret: URLs are written to logs, here and there, so that
  /// nothing fills it in.
  public static final String IN_URL =
      "a secret is not filled in within a URL; send it in a header, such as Authorization: Bearer"
          + " secret:<name>";

  /// Whether the text names a secret anywhere.
  public static boolean isNamedIn(String text) {
    return ANYWHERE.matcher(text).find();
  }

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
