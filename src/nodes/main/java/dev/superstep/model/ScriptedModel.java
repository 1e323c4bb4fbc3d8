package dev.superstep.model;

import dev.superstep.engine.node.Deadline;
import dev.superstep.engine.node.WorkPermits;
import dev.superstep.json.Json;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Gives the first reply of its script that fits a request. What it answers depends on the request
/// alone, so that a call that is repeated after a crash has the same answer; only `times` counts.
final class ScriptedModel {
  private static final Pattern WORD = Pattern.compile("\\S+\\s*|\\s+");

  private final Duration timeout;
  private final List<ScriptEntry> script;
  private final AtomicInteger calls = new AtomicInteger();

  /// @param given how often it was
  private record ScriptEntry(Reply reply, AtomicInteger given) {
    /// Counts it.
    boolean isLeft() {
      return reply.times() == 0 || given.getAndIncrement() < reply.times();
    }
  }

  private record ChosenReply(Reply reply, Words words) {}

  /// What it says.
  ///
  /// @param calls tools that it asks for
  /// @param finish why the answer ends
  public record ScriptedAnswer(String text, List<Call> calls, String finish, Reply.Usage usage) {
    public ScriptedAnswer {
      calls = List.copyOf(calls);
    }
  }

  /// @param arguments JSON text
  public record Call(String id, String name, String arguments) {}

  /// @param timeout of one call
  public ScriptedModel(Duration timeout, List<Reply> script) {
    this.timeout = timeout;
    this.script = script.stream().map(it -> new ScriptEntry(it, new AtomicInteger())).toList();
  }

  /// @throws TimeoutException if the script answers too late
  public ScriptedAnswer answer(ScriptPrompt prompt) throws InterruptedException, TimeoutException {
    var chosen = choose(prompt);
    await(chosen.reply().delay());
    return answer(chosen);
  }

  /// @param reader receives one word at a time
  /// @throws TimeoutException if the script answers too late
  public ScriptedAnswer answer(ScriptPrompt prompt, Consumer<String> reader)
      throws InterruptedException, TimeoutException {
    var chosen = choose(prompt);
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

  private ChosenReply choose(ScriptPrompt prompt) throws InterruptedException, TimeoutException {
    for (var entry : script) {
      var words = fit(entry.reply().when(), prompt);
      if (words.isPresent() && entry.isLeft()) {
        return fail(new ChosenReply(entry.reply(), words.get()));
      }
    }
    throw new ScriptedException(
        400,
        "the script has no reply that fits; the user's last words are: " + prompt.user(),
        Optional.empty());
  }

  private ChosenReply fail(ChosenReply chosen) throws InterruptedException, TimeoutException {
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

  private static Optional<Words> fit(Reply.When when, ScriptPrompt prompt) {
    boolean fits =
        (when.last() == null || when.last().equals(prompt.last()))
            && (when.tool() == null || prompt.tools().contains(when.tool()))
            && (when.turn() == null || when.turn() == prompt.turn());
    return fits ? Words.of(when, prompt) : Optional.empty();
  }

  private static String words(ChosenReply chosen) {
    var say = chosen.reply().say();
    return say == null ? "" : chosen.words().fill(say);
  }

  private ScriptedAnswer answer(ChosenReply chosen) {
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
    return new ScriptedAnswer(
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

  /// Replaces `{user}`, `{system}`, `{tool}` (the last tool result) and `{1}`, `{2}`, … (groups of
  /// the matched expressions) in a reply.
  private record Words(Map<String, String> meanings) {
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{(user|system|tool|[1-9])}");

    /// Empty if one of the expressions is not found.
    static Optional<Words> of(Reply.When when, ScriptPrompt prompt) {
      var meanings = new TreeMap<String, String>();
      meanings.put("user", prompt.user());
      meanings.put("system", prompt.system());
      meanings.put("tool", prompt.toolResult());
      var groups = new ArrayList<String>();
      boolean found =
          find(when.user(), prompt.user(), groups) && find(when.system(), prompt.system(), groups);
      for (int i = 0; i < groups.size(); i++) {
        meanings.put(Integer.toString(i + 1), groups.get(i));
      }
      return found ? Optional.of(new Words(meanings)) : Optional.empty();
    }

    private static boolean find(List<String> expressions, String text, List<String> groups) {
      for (var expression : expressions) {
        var matcher = Pattern.compile(expression).matcher(text);
        if (!matcher.find()) {
          return false;
        }
        for (int i = 1; i <= matcher.groupCount(); i++) {
          groups.add(matcher.group(i) == null ? "" : matcher.group(i));
        }
      }
      return true;
    }

    String fill(String text) {
      return PLACEHOLDER
          .matcher(text)
          .replaceAll(it -> Matcher.quoteReplacement(meanings.getOrDefault(it.group(1), "")));
    }

    /// In the texts of a JSON document, which stays one.
    String fillJson(String json) {
      return Json.write(fill(Json.read(json)));
    }

    private Value fill(Value value) {
      return switch (value) {
        case Value.Text(var text) -> Value.of(fill(text));
        case ListValue list -> ListValue.of(list.stream().map(this::fill).toList());
        case ObjectValue object -> {
          var filled = ObjectValue.builder();
          object.forEach((key, inner) -> filled.put(key, fill(inner)));
          yield filled.build();
        }
        case Value.Null _, Value.Bool _, Value.Int _, Value.Real _ -> value;
      };
    }
  }
}
