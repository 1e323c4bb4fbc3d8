package dev.superstep.model.scripted;

import dev.superstep.engine.pool.Deadline;
import dev.superstep.engine.pool.WorkPermits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/// Gives the first reply of its script that fits a request. What it answers depends on the request
/// alone, so that a call that is repeated after a crash has the same answer; only `times` counts.
public final class ScriptedModel {
  private static final Pattern WORD = Pattern.compile("\\S+\\s*|\\s+");

  private final Duration timeout;
  private final List<Entry> script;
  private final AtomicInteger calls = new AtomicInteger();

  /// @param given how often it was
  private record Entry(Reply reply, AtomicInteger given) {
    /// Counts it.
    boolean isLeft() {
      return reply.times() == 0 || given.getAndIncrement() < reply.times();
    }
  }

  private record Chosen(Reply reply, Words words) {}

  /// What it says.
  ///
  /// @param calls tools that it asks for
  /// @param finish why the answer ends
  public record Answer(String text, List<Call> calls, String finish, Reply.Usage usage) {
    public Answer {
      calls = List.copyOf(calls);
    }
  }

  /// @param arguments JSON text
  public record Call(String id, String name, String arguments) {}

  /// @param timeout of one call
  public ScriptedModel(Duration timeout, List<Reply> script) {
    this.timeout = timeout;
    this.script = script.stream().map(it -> new Entry(it, new AtomicInteger())).toList();
  }

  /// @throws TimeoutException if the script answers too late
  public Answer answer(Asked asked) throws InterruptedException, TimeoutException {
    var chosen = choose(asked);
    await(chosen.reply().delay());
    return answer(chosen);
  }

  /// @param reader receives one word at a time
  /// @throws TimeoutException if the script answers too late
  public Answer answer(Asked asked, Consumer<String> reader)
      throws InterruptedException, TimeoutException {
    var chosen = choose(asked);
    var pause = chosen.reply().delay();
    for (var word : WORD.matcher(words(chosen)).results().map(it -> it.group()).toList()) {
      await(pause);
      reader.accept(word);
      pause = chosen.reply().pause();
    }
    if (words(chosen).isEmpty()) {
      await(pause);
    }
    return answer(chosen);
  }

  private Chosen choose(Asked asked) throws InterruptedException, TimeoutException {
    for (var entry : script) {
      var words = fit(entry.reply().when(), asked);
      if (words.isPresent() && entry.isLeft()) {
        return fail(new Chosen(entry.reply(), words.get()));
      }
    }
    throw new ScriptedException(
        400,
        "the script has no reply that fits; the user's last words are: " + asked.user(),
        Optional.empty());
  }

  private Chosen fail(Chosen chosen) throws InterruptedException, TimeoutException {
    var error = chosen.reply().error();
    if (error == null) {
      return chosen;
    }
    await(chosen.reply().delay());
    throw new ScriptedException(
        error.status(),
        chosen.words().fill(error.message()),
        Optional.ofNullable(error.retryAfter()));
  }

  private static Optional<Words> fit(Reply.When when, Asked asked) {
    boolean fits =
        (when.last() == null || when.last().equals(asked.last()))
            && (when.tool() == null || asked.tools().contains(when.tool()))
            && (when.turn() == null || when.turn() == asked.turn());
    return fits ? Words.of(when, asked) : Optional.empty();
  }

  private static String words(Chosen chosen) {
    var say = chosen.reply().say();
    return say == null ? "" : chosen.words().fill(say);
  }

  private Answer answer(Chosen chosen) {
    var reply = chosen.reply();
    int number = calls.incrementAndGet();
    var asks = new ArrayList<Call>();
    for (var call : reply.call()) {
      asks.add(
          new Call(
              "call_%d_%d".formatted(number, asks.size() + 1),
              call.name(),
              chosen.words().fillJson(call.arguments())));
    }
    var usual = asks.isEmpty() ? "stop" : "tool_calls";
    return new Answer(
        words(chosen), asks, reply.finish() == null ? usual : reply.finish(), reply.usage());
  }

  private void await(Duration pause) throws InterruptedException, TimeoutException {
    if (!pause.isPositive()) {
      return;
    }
    boolean late = pause.compareTo(timeout) >= 0;
    var over = new CountDownLatch(1);
    try (var _ = WorkPermits.releaseDuringIo();
        var _ = Deadline.in(late ? timeout : pause, over::countDown)) {
      over.await();
    }
    if (late) {
      throw new TimeoutException("the script answers too late");
    }
  }
}
