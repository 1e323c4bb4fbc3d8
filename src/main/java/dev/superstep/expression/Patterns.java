package dev.superstep.expression;

import dev.superstep.pattern.LinearPattern;
import dev.superstep.pattern.PatternException;
import java.util.HashMap;
import java.util.Map;

/// The regular expressions of one evaluation: each is paid for when it is met first, whether it was
/// kept from others or not, so that one evaluation costs the same everywhere.
final class Patterns {
  private static final int KEPT_MAX = 64;
  private final Map<String, LinearPattern> paid = new HashMap<>();

  boolean find(String text, String regex, Budget budget) {
    var pattern = paid.get(regex);
    if (pattern == null) {
      pattern = compile(regex, budget);
      if (paid.size() < KEPT_MAX) {
        paid.put(regex, pattern);
      }
    }
    budget.spend(pattern.cost(text.length()));
    return pattern.find(text, budget::pause);
  }

  private static LinearPattern compile(String regex, Budget budget) {
    try {
      budget.spend(regex.length() * 64L);
      var pattern = LinearPattern.compile(regex, budget.limits().regexMax());
      budget.spend(pattern.compileCost());
      return pattern;
    } catch (PatternException e) {
      throw e.isTooLarge()
          ? budget.exhaust(String.valueOf(e.getMessage()))
          : CelProblem.of("matches: " + e.getMessage());
    }
  }
}
