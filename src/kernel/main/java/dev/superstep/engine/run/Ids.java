package dev.superstep.engine.run;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// Ids that derive from what they name, so that a crashed run and an undisturbed one agree (E5).
/// None depends on the run's id; those that must be nobody else's derive from a [BirthId].
public final class Ids {
  private static final int HEX = 16;

  private Ids() {}

  /// The id of a dispatch that gave none. It does not depend on the run's id.
  public static String dispatch(long ordinal, TaskKey emitter, int position) {
    return "d-" + hash(8, "dispatch", ordinal, emitter, position);
  }

  /// The id of a history entry of the prompt context.
  public static String entry(long ordinal, TaskKey task) {
    return "h-" + hash(8, "entry", ordinal, task);
  }

  /// What ids of messages of one result derive from.
  public static String messages(long ordinal, TaskKey task, int interrupts) {
    return ordinal + "\u0000" + task + "\u0000" + interrupts;
  }

  /// The id of the message that a model's answer becomes: known before the answer is.
  ///
  /// @param generation grows with every answer to the task
  public static String answer(long ordinal, TaskKey task, int generation) {
    return "m-" + hash(8, "answer", ordinal, task, generation);
  }

  /// What pieces of a text carry in place of the message id if the task has begun another text
  /// before: nobody must append them to those.
  ///
  /// @param text number in the attempt, from 1
  public static String otherText(String message, int attempt, int text) {
    return "%s-%d-%d".formatted(message, attempt, text);
  }

  /// What generated ids in the `number`-th run that a task begins derive from (E5). Like an ordinal
  /// in a thread it does not depend on run ids.
  public static long childOrdinal(long ordinal, TaskKey task, int number) {
    var hash = hash(Long.BYTES, "child", ordinal, task, number);
    return Long.parseUnsignedLong(hash, HEX) & Long.MAX_VALUE;
  }

  static String hash(int bytes, Object... parts) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      for (var part : parts) {
        digest.update(part.toString().getBytes(StandardCharsets.UTF_8));
        digest.update((byte) 0);
      }
      return HexFormat.of().formatHex(digest.digest(), 0, bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
