package dev.superstep.fault.extension;

import java.util.regex.Pattern;

/// The mutant without a fence: takes the lease epoch out of every condition, so that whoever once
/// owned a run may write it for ever.
public final class WithoutFence extends StatementRewriter {
  /// A comparison with a parameter or a column of another relation; not an assignment.
  private static final Pattern FENCE =
      Pattern.compile(
          "(?<=\\b(?:where|and|on)\\s{1,40})((?:\\w+\\.)?lease_epoch\\s*=\\s*(?:\\?|\\w+\\.\\w+))",
          Pattern.CASE_INSENSITIVE);

  @Override
  public String mutated(String sql) {
    return FENCE.matcher(sql).replaceAll("($1 or true)");
  }
}
