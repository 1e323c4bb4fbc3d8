package dev.superstep.model.scripted;

import dev.superstep.engine.pool.WorkPermits;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.metadata.ChatGenerationMetadata;
import org.springframework.ai.chat.metadata.ChatResponseMetadata;
import org.springframework.ai.chat.metadata.DefaultUsage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/// Gives the first reply of its script that fits a request. What it answers depends on the request
/// alone, so that a call that is repeated after a crash has the same answer; only `times` counts.
public final class ScriptedModel implements ChatModel {
  private static final Pattern WORD = Pattern.compile("\\S+\\s*|\\s+");

  private final String model;
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

  /// @param model as it calls itself
  /// @param timeout of one call
  public ScriptedModel(String model, Duration timeout, List<Reply> script) {
    this.model = model;
    this.timeout = timeout;
    this.script = script.stream().map(it -> new Entry(it, new AtomicInteger())).toList();
  }

  @Override
  public ChatResponse call(Prompt prompt) {
    var chosen = choose(prompt);
    await(chosen.reply().delay());
    return answer(chosen, words(chosen));
  }

  /// A word at a time, and the rest of the answer with the last one.
  @Override
  public Flux<ChatResponse> stream(Prompt prompt) {
    var chosen = choose(prompt);
    var words = WORD.matcher(words(chosen)).results().map(it -> it.group()).toList();
    int last = Math.max(0, words.size() - 1);
    return Flux.range(0, last + 1)
        .concatMap(it ->
            after(it == 0 ? chosen.reply().delay() : chosen.reply().pause())
                .map(_ ->
                    it == last
                        ? answer(chosen, words.isEmpty() ? "" : words.get(last))
                        : new ChatResponse(
                            List.of(new Generation(new AssistantMessage(words.get(it)))))));
  }

  @Override
  public ChatOptions getOptions() {
    return ChatOptions.builder().model(model).build();
  }

  private Chosen choose(Prompt prompt) {
    var asked = Asked.of(prompt);
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

  private Chosen fail(Chosen chosen) {
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

  private ChatResponse answer(Chosen chosen, String text) {
    var reply = chosen.reply();
    int number = calls.incrementAndGet();
    var asks = new ArrayList<AssistantMessage.ToolCall>();
    for (var call : reply.call()) {
      asks.add(
          new AssistantMessage.ToolCall(
              "call_%d_%d".formatted(number, asks.size() + 1),
              "function",
              call.name(),
              chosen.words().fillJson(call.arguments())));
    }
    var usual = asks.isEmpty() ? "stop" : "tool_calls";
    var reason = reply.finish() == null ? usual : reply.finish();
    return new ChatResponse(
        List.of(
            new Generation(
                AssistantMessage.builder().content(text).toolCalls(asks).build(),
                ChatGenerationMetadata.builder().finishReason(reason).build())),
        ChatResponseMetadata.builder()
            .model(model)
            .usage(new DefaultUsage(reply.usage().input(), reply.usage().output()))
            .build());
  }

  private void await(Duration pause) {
    try (var _ = WorkPermits.releaseDuringIo()) {
      after(pause).block();
    }
  }

  private Mono<Long> after(Duration pause) {
    if (pause.compareTo(timeout) >= 0) {
      return Mono.delay(timeout)
          .then(Mono.error(new InterruptedIOException("the script answers too late")));
    }
    return pause.isPositive() ? Mono.delay(pause) : Mono.just(0L);
  }
}
