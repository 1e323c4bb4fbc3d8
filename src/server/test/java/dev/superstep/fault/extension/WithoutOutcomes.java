package dev.superstep.fault.extension;

import java.util.regex.Pattern;

/// The mutant that forgets: whoever takes a run over reads no outcome of the superstep in progress,
/// so that it calls again what the database knows.
public final class WithoutOutcomes extends StatementRewriter {
  private static final Pattern READ =
      Pattern.compile("(?<=select content from recorded_task\\s{1,40}where) ");

  @Override
  public String mutated(String sql) {
    return READ.matcher(sql).replaceAll(" false and ");
  }
}
