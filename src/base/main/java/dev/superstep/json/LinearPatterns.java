package dev.superstep.json;

import com.networknt.schema.regex.RegularExpression;
import com.networknt.schema.regex.RegularExpressionFactory;
import dev.superstep.pattern.LinearPattern;
import dev.superstep.pattern.PatternException;

/// Matches the patterns of schemas in time linear in the text: both may be untrusted. A compiled
/// schema holds only the text of its patterns, so that the memory of many is bounded too.
final class LinearPatterns implements RegularExpressionFactory {
  static final int POSITIONS_MAX = 1_000;

  @Override
  public RegularExpression getRegularExpression(String regex) {
    compile(regex);
    return text -> PatternWork.find(compile(regex), text);
  }

  /// @throws PatternException if it is too large, or no regular expression
  static LinearPattern compile(String regex) {
    return LinearPattern.compile(regex, POSITIONS_MAX);
  }
}
