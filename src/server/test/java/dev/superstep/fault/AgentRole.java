package dev.superstep.fault;

import dev.superstep.json.Json;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// What a model is for an agent that asks it, and what it says then.
sealed interface AgentRole {

  /// @param number of the call
  String answer(int number);

  /// A part of what is recorded of the answer, and of no other one.
  default String token(int number) {
    return "answer %d.".formatted(number);
  }

  default ObjectValue message(String answer) {
    return ObjectValue.of("role", "assistant").plus("content", answer);
  }

  static AgentRole of(String run, List<ObjectValue> messages, boolean hasTools) {
    var first = text(messages.getFirst());
    var last = text(messages.getLast());
    if (first.contains("planner expert")) {
      return new Supervising(run, first, last);
    }
    if (last.contains("Return only the score")) {
      return new Scoring(last.split("edited", -1).length > 2);
    }
    if (last.contains("professional editor")) {
      return new Answering(run, last.contains("edited") ? " edited edited" : " edited");
    }
    int results = results(messages);
    return hasTools && results < 2
        ? new Calling(run, place(messages), results + 1)
        : new Answering(run, "");
  }

  private static String text(ObjectValue message) {
    return message.textOrEmpty("content");
  }

  /// How many tools have answered since the last question.
  private static int results(List<ObjectValue> messages) {
    int results = 0;
    for (var it : messages.reversed()) {
      if (it.text("role").equals("user")) {
        break;
      }
      results += it.text("role").equals("tool") ? 1 : 0;
    }
    return results;
  }

  /// Grows in a conversation, of which a memory may leave out what was between two questions.
  private static int place(List<ObjectValue> messages) {
    long questions = messages.stream().filter(it -> it.text("role").equals("user")).count();
    return 100 * Math.toIntExact(questions) + messages.size();
  }

  /// @param end of what is said
  record Answering(String run, String end) implements AgentRole {
    @Override
    public String answer(int number) {
      return "%s for %s%s".formatted(token(number), run, end);
    }
  }

  /// Gives an editor two turns.
  record Scoring(boolean good) implements AgentRole {
    @Override
    public String answer(int number) {
      return String.format(Locale.ROOT, "0.%d%08d", good ? 9 : 1, number);
    }

    @Override
    public String token(int number) {
      return answer(number);
    }
  }

  /// Has the only agent work once.
  ///
  /// @param agents the message that names it
  /// @param last the message that says what the last one has answered
  record Supervising(String run, String agents, String last) implements AgentRole {
    private static final Pattern AGENT = Pattern.compile("available agents is: '\\W*([\\w$]+)");

    @Override
    public String answer(int number) {
      return last.contains("response is: 'answer")
          ? invocation("done", "response", token(number))
          : invocation(agent(), "order", "for %s, %s".formatted(run, token(number)));
    }

    private String agent() {
      return AGENT.matcher(agents).results().findFirst().orElseThrow().group(1);
    }

    private static String invocation(String agent, String argument, String value) {
      return Json.write(
          ObjectValue.of("agentName", agent).plus("arguments", ObjectValue.of(argument, value)));
    }
  }

  /// @param count of calls
  record Calling(String run, int place, int count) implements AgentRole {
    @Override
    public String answer(int number) {
      return token(number);
    }

    @Override
    public String token(int number) {
      return "call-%d.".formatted(number);
    }

    @Override
    public ObjectValue message(String answer) {
      var calls = ListValue.builder();
      for (int i = 0; i < count; i++) {
        var arguments = ObjectValue.of("fruit", run).plus("boxes", place + i + 1);
        calls.add(
            ObjectValue.of("id", answer + i)
                .plus("index", i)
                .plus("type", "function")
                .plus(
                    "function",
                    ObjectValue.of("name", "order").plus("arguments", Json.write(arguments))));
      }
      return ObjectValue.of("role", "assistant").plus("tool_calls", calls.build());
    }
  }
}
