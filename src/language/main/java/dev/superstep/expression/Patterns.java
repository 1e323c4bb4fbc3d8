package dev.superstep.expression;

import dev.superstep.pattern.LinearPattern;
import dev.superstep.pattern.PatternException;
import java.util.HashMap;
import java.util.Map;

/// The regular expressions of one evaluation: each is paid for at its first use, cached or not, so
/// that an evaluation costs the same everywhere.
final class Patterns {
  private static final int KEPT_MAX = 64;
  private final Map<String, LinearPattern> paid = new HashMap<>();

  public boolean find(String text, String regex, WorkBudget workBudget) {
    var pattern = paid.get(regex);
    if (pattern == null) {
      pattern = compile(regex, workBudget);
      if (paid.size() < KEPT_MAX) {
        paid.put(regex, pattern);
      }
    }
    workBudget.spend(pattern.cost(text.length()));
    return pattern.find(text, workBudget::pause);
  }

  private static LinearPattern compile(String regex, WorkBudget workBudget) {
    try {
      workBudget.spend(regex.length() * 64L);
      var pattern = LinearPattern.compile(regex, workBudget.limits().regexMax());
      workBudget.spend(pattern.compileCost());
      return pattern;
    } catch (PatternException e) {
      throw e.isTooLarge()
          ? workBudget.exhaust(String.valueOf(e.getMessage()))
          : CelProblem.of("matches: " + e.getMessage());
    }
  }
}
