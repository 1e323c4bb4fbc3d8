package dev.superstep.bench;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.Pattern;

/// The model of W7: it asks for a document until a hundred have been read, and notes when it was
/// asked.
final class ReaderScript implements Function<String, String> {
  static final int CALLS = 100;
  private static final int AROUND = 2;
  private static final Pattern TOLD = Pattern.compile("\"role\"\\s*:\\s*\"tool\"");
  private static final String ASKING =
      """
      {"id": "c%1$d", "object": "chat.completion", "created": 1, "model": "stub",
       "choices": [{"index": 0, "finish_reason": "tool_calls", "message":
         {"role": "assistant", "content": null, "tool_calls": [{"id": "call_%1$d",
           "type": "function", "function": {"name": "document", "arguments": "{\\"id\\":\\"%1$d\\"}"}}]}}],
       "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}}
      """;
  private static final String DONE =
      """
      {"id": "end", "object": "chat.completion", "created": 1, "model": "stub",
       "choices": [{"index": 0, "finish_reason": "stop", "message":
         {"role": "assistant", "content": "All are read."}}],
       "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}}
      """;

  private final long[] asked = new long[CALLS + 1];
  private int told;
  private int holdAt = -1;
  private long resumed;
  private CountDownLatch held = new CountDownLatch(1);
  private CountDownLatch released = new CountDownLatch(1);
  private CountDownLatch ended = new CountDownLatch(1);

  /// Forgets what was.
  synchronized void begin() {
    told = 0;
    holdAt = -1;
    resumed = 0;
    held = new CountDownLatch(1);
    released = new CountDownLatch(1);
    ended = new CountDownLatch(1);
  }

  /// From now on does not answer when so many calls have been made, until it is released.
  synchronized void holdAt(int calls) {
    holdAt = calls;
  }

  void awaitHeld(long seconds) throws IOException, InterruptedException {
    await(held, seconds, "the middle");
  }

  void release() {
    released.countDown();
  }

  void awaitEnd(long seconds) throws IOException, InterruptedException {
    await(ended, seconds, "the end");
  }

  private void await(CountDownLatch what, long seconds, String name)
      throws IOException, InterruptedException {
    if (!what.await(seconds, TimeUnit.SECONDS)) {
      throw new IOException("%s was not reached: %d calls".formatted(name, told()));
    }
  }

  synchronized int told() {
    return told;
  }

  /// @return seconds from then to the first request after the held one
  synchronized double resumed(long from) {
    return (resumed - from) / 1e9;
  }

  /// From one request to the next, the mean of five around a number.
  synchronized double stepMillis(int step) {
    int from = Math.max(0, Math.min(step - 1 - AROUND, CALLS - 1 - 2 * AROUND));
    int to = from + 1 + 2 * AROUND;
    return (asked[to] - asked[from]) / 1e6 / (to - from);
  }

  @Override
  public String apply(String request) {
    int calls = (int) TOLD.matcher(request).results().count();
    if (note(calls)) {
      held.countDown();
      awaitRelease();
    }
    return calls < CALLS ? ASKING.formatted(calls + 1) : DONE;
  }

  /// @return whether the answer is held back
  private synchronized boolean note(int calls) {
    if (holdAt < 0 && resumed == 0 && held.getCount() == 0) {
      resumed = System.nanoTime();
    }
    asked[calls] = System.nanoTime();
    told = calls;
    if (calls == CALLS) {
      ended.countDown();
    }
    boolean hold = calls == holdAt;
    if (hold) {
      holdAt = -1;
    }
    return hold;
  }

  private void awaitRelease() {
    try {
      released.await();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
