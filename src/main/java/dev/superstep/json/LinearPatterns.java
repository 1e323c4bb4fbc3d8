package dev.superstep.json;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import com.networknt.schema.regex.RegularExpression;
import com.networknt.schema.regex.RegularExpressionFactory;

/// Patterns of schemas in time linear in the text: both may come from strangers.
final class LinearPatterns implements RegularExpressionFactory {
  private static final int PROGRAM_MAX = 1_000;

  @Override
  public RegularExpression getRegularExpression(String regex) {
    try {
      var pattern = Pattern.compile(regex);
      if (pattern.programSize() > PROGRAM_MAX) {
        throw new IllegalArgumentException("the pattern '%s' is too large".formatted(regex));
      }
      return text -> pattern.matcher(text).find();
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(
          "the pattern '%s' is no regular expression (RE2): %s".formatted(regex, e.getMessage()),
          e);
    }
  }
}
