package dev.superstep.checkpoint.row;

import dev.superstep.engine.run.RunStatus;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Locale;

/// The statuses of runs as the database stores them: those of the engine, and `enqueued`, which is
/// a queued run that waits for its thread and that no replica may claim yet.
public final class StoredStatus {
  static final String ENQUEUED = "enqueued";

  private StoredStatus() {}

  public static RunStatus read(String word) {
    return word.equals(ENQUEUED)
        ? RunStatus.QUEUED
        : RunStatus.valueOf(word.toUpperCase(Locale.ROOT));
  }

  public static String apiName(RunStatus status) {
    return status.name().toLowerCase(Locale.ROOT);
  }

  /// The stored names of these statuses.
  public static String[] words(Collection<RunStatus> statuses) {
    var words = new ArrayList<String>();
    statuses.stream().map(StoredStatus::apiName).forEach(words::add);
    if (statuses.contains(RunStatus.QUEUED)) {
      words.add(ENQUEUED);
    }
    return words.toArray(String[]::new);
  }
}
