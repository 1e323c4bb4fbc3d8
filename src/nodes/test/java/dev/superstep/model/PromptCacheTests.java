package dev.superstep.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.json.Json;
import dev.superstep.model.ModelRequest.Delivery;
import dev.superstep.model.ModelRequest.ToolOffer;
import dev.superstep.model.stub.AnthropicStub;
import dev.superstep.model.stub.AnthropicStub.Counted;
import dev.superstep.model.stub.Reply;
import dev.superstep.secret.Secrets;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.core.env.StandardEnvironment;

/// What is read from Anthropic's cache of prompts, by the count of a server that keeps one.
class PromptCacheTests {
  private static final String SYSTEM = "You look things up. ".repeat(300);
  private static final List<ToolOffer> TOOLS =
      List.of(
          new ToolOffer("look", "Looks. ".repeat(900), ObjectValue.of("type", "object")),
          new ToolOffer("see", "Sees", ObjectValue.of("type", "object")));

  private final AnthropicStub stub;
  private final List<ObjectValue> conversation = new ArrayList<>();

  PromptCacheTests() throws IOException {
    stub = AnthropicStub.start(_ -> Reply.text("fine"));
  }

  @AfterEach
  void end() {
    stub.close();
  }

  private Model model(PromptCache cache) {
    var entry =
        new ModelSettings.ModelEntry(
            Provider.ANTHROPIC, stub.url(), "c", null, Duration.ofSeconds(5), "", Map.of(), null);
    var apiKey = new ApiKey(Optional.empty(), new Secrets(new StandardEnvironment()));
    var clients = new ChatClients(Thread.ofVirtual().factory());
    return new Model(
        "c", entry, new ModelFailures("c", apiKey), () -> clients.create(entry, apiKey, cache));
  }

  private void call(Model model, String system, String prompt) throws Exception {
    var messages = new ArrayList<ObjectValue>();
    messages.add(message("system", system));
    messages.addAll(conversation);
    int lasting = conversation.isEmpty() ? 1 : messages.size();
    if (!prompt.isEmpty()) {
      messages.add(message("user", prompt));
    }
    var request =
        new ModelRequest(
            messages, TOOLS, Optional.empty(), ObjectValue.empty(), new Delivery.Whole());
    assertThat(model.call(request.lasting(OptionalInt.of(lasting))).text()).isEqualTo("fine");
  }

  private static ObjectValue message(String role, String content) {
    return ObjectValue.of("role", role).plus("content", content);
  }

  /// The turns of an agent, each with so many calls of tools.
  private void turns(int turns, int calls) throws Exception {
    conversation.add(message("user", "Go on"));
    for (int turn = 0; turn < turns; turn++) {
      call(model(PromptCache.AUTO), SYSTEM, "");
      var asked = ListValue.builder();
      var results = new ArrayList<ObjectValue>();
      for (int i = 0; i < calls; i++) {
        var id = "t%d-%d".formatted(turn, i);
        asked.add(
            Json.read("{\"id\": \"%s\", \"name\": \"look\", \"arguments\": {}}".formatted(id)));
        results.add(message("tool", "seen").plus("tool_call_id", id));
      }
      conversation.add(ObjectValue.of("role", "assistant").plus("tool_calls", asked.build()));
      conversation.addAll(results);
    }
  }

  private double shareRead() {
    long read = stub.counted().stream().mapToLong(Counted::read).sum();
    return (double) read / stub.counted().stream().mapToLong(Counted::input).sum();
  }

  @Test
  void readsNearlyAllThatAnAgentSendsAgain() throws Exception {
    turns(100, 1);

    assertThat(shareRead()).isGreaterThan(0.95);
    assertThat(stub.counted().getFirst().read()).isZero();
    assertThat(stub.counted().stream().skip(1)).allMatch(it -> it.read() > 2_500);
  }

  /// Each request reads all of the one before, however many blocks have come between.
  @Test
  void readsWhatIsBeforeManyCallsOfTools() throws Exception {
    turns(4, 30);

    for (int i = 1; i < 4; i++) {
      var before = stub.counted().get(i - 1);
      assertThat(stub.counted().get(i).read()).isEqualTo(before.input() - before.plain());
      assertThat(stub.counted().get(i).plain()).isZero();
    }
  }

  /// But for the marks, each request begins with the one before it.
  @Test
  void writesMessagesAlikeWhetherTheyAreMarkedOrNot() throws Exception {
    conversation.add(message("user", "Go on"));
    call(model(PromptCache.AUTO), SYSTEM, "");
    conversation.add(message("assistant", "fine"));
    conversation.add(message("user", "And on"));
    conversation.add(message("assistant", "fine"));
    conversation.add(message("user", "And on"));
    call(model(PromptCache.AUTO), SYSTEM, "");

    var texts =
        stub.asked().stream()
            .map(it -> it.text().replace("\"cache_control\":{\"type\":\"ephemeral\"},", ""))
            .toList();
    int end = texts.getFirst().indexOf("],\"model\"");
    assertThat(texts.getLast()).startsWith(texts.getFirst().substring(0, end));
  }

  /// A prompt that is not kept ends no beginning of the next request.
  @Test
  void writesNoPromptThatIsNotSentAgain() throws Exception {
    conversation.add(message("user", "A long story. ".repeat(400)));
    call(model(PromptCache.AUTO), SYSTEM, "What is it about?");
    conversation.add(message("assistant", "A story"));
    call(model(PromptCache.AUTO), SYSTEM, "Who is in it?");

    var first = stub.counted().getFirst();
    var second = stub.counted().getLast();
    assertThat(first.plain()).isPositive();
    assertThat(second.read()).isEqualTo(first.written());
  }

  /// What is sent once costs more in a cache than beside it.
  @Test
  void keepsOnlyToolsAndSystemPromptWithoutAConversation() throws Exception {
    call(model(PromptCache.AUTO), SYSTEM, "One text of many. ".repeat(400));
    call(model(PromptCache.AUTO), SYSTEM, "Another one. ".repeat(400));

    assertThat(stub.counted().getFirst().plain()).isGreaterThan(1_500);
    assertThat(stub.counted().getLast().written()).isZero();
    assertThat(stub.counted().getLast().read()).isEqualTo(stub.counted().getFirst().written());
  }

  @Test
  void readsTheToolsUnderAnotherSystemPrompt() throws Exception {
    call(model(PromptCache.AUTO), SYSTEM, "Hi");
    call(model(PromptCache.AUTO), "Something else", "Hi");

    assertThat(stub.counted().getLast().read()).isGreaterThan(1_500);
  }

  /// The summary of a compaction is a system message, too; the one before it stays.
  @Test
  void readsTheSystemPromptBeforeAnotherSummary() throws Exception {
    conversation.add(message("system", "Summary: little has happened."));
    conversation.add(message("user", "Go on"));
    call(model(PromptCache.AUTO), SYSTEM, "");
    conversation.set(0, message("system", "Summary: much has happened."));
    call(model(PromptCache.AUTO), SYSTEM, "");

    assertThat(stub.counted().getLast().read()).isGreaterThan(3_000);
    assertThat(stub.asked().getLast().text())
        .contains("{\"text\":\"\\n\\nSummary: much has happened.\",\"type\":\"text\"}");
  }

  /// What is rendered anew for each request is not kept.
  @Test
  void keepsNoSystemPromptThatDoesNotComeAgain() throws Exception {
    var messages = List.of(message("system", SYSTEM), message("user", "Hi"));
    var request =
        new ModelRequest(
            messages, List.of(), Optional.empty(), ObjectValue.empty(), new Delivery.Whole());

    model(PromptCache.AUTO).call(request);
    model(PromptCache.AUTO).call(request.lasting(OptionalInt.empty()));

    assertThat(stub.counted()).allMatch(it -> it.written() == 0);
    assertThat(stub.asked()).noneMatch(it -> it.text().contains("cache_control"));
  }

  /// Anthropic refuses blocks without words.
  @Test
  void leavesOutSystemMessagesWithoutWords() throws Exception {
    conversation.add(message("system", " \n"));
    conversation.add(message("user", "Go on"));
    call(model(PromptCache.AUTO), "\n", "");

    assertThat(stub.asked().getLast().text()).doesNotContain("\"system\":");
  }

  @Test
  void marksNothingWhereItIsSwitchedOff() throws Exception {
    conversation.add(message("user", "Go on"));
    call(model(PromptCache.OFF), SYSTEM, "");

    assertThat(stub.asked().getLast().text()).doesNotContain("cache_control").contains("\"Go on\"");
  }

  /// Empty blocks cannot be marked.
  @Test
  void marksNoMessageWithoutWords() throws Exception {
    conversation.add(message("user", "Go on"));
    conversation.add(message("assistant", ""));
    conversation.add(message("user", "And on"));

    var body = new Anthropic(PromptCache.AUTO).body(question(2));

    assertThat(body.toString()).contains("\"content\":\"\"").doesNotContain("\"text\":\"\"");
    assertThat(body.toString())
        .contains("{\"cache_control\":{\"type\":\"ephemeral\"},\"text\":\"Go on\"");
  }

  private Protocol.ModelQuestion question(int lasting) throws ModelException {
    var request =
        new ModelRequest(
            conversation, List.of(), Optional.empty(), ObjectValue.empty(), new Delivery.Whole());
    return new Protocol.ModelQuestion(
        "c",
        ChatMessage.of(conversation),
        request.lasting(OptionalInt.of(lasting)),
        new ModelOptions(ObjectValue.empty()));
  }
}
