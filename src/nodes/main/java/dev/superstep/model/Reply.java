package dev.superstep.model;

import dev.superstep.json.Json;
import dev.superstep.json.JsonException;
import dev.superstep.problem.Setting;
import dev.superstep.state.value.ObjectValue;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// One entry of a script: a text, tool calls, or a failure.
///
/// @param when what a request must have for this reply
/// @param times how often it is given while the process lives; 0: always
/// @param say the words; `{user}` and the like stand for parts of the request (see [Words])
/// @param call tools that are asked for, beside the words
/// @param delay before the answer, or its first word, comes
/// @param pause before each further word of a streamed answer
/// @param finish the reason of an answer that ends for another one than usual, such as `length`
/// @param usage token usage that the answer reports
/// @param error the answer is a failure of the provider instead
public record Reply(
    @DefaultValue When when,
    @DefaultValue("0") int times,
    @Nullable String say,
    @DefaultValue List<ScriptedCall> call,
    @DefaultValue("0s") Duration delay,
    @DefaultValue("0s") Duration pause,
    @Nullable String finish,
    @DefaultValue Usage usage,
    @Nullable Failure error) {
  private static final Duration PAUSE_MAX = Duration.ofHours(1);
  private static final int TOKENS_MAX = 10_000_000;

  public Reply {
    call = List.copyOf(call);
  }

  void check(String property) {
    boolean answers = say != null || !call.isEmpty();
    if (answers == (error != null)) {
      throw new Setting(property).invalid("needs say, call or both, or else error");
    }
    new Setting(property + ".times").within(0, 1_000_000, times);
    new Setting(property + ".delay").within(Duration.ZERO, PAUSE_MAX, delay);
    new Setting(property + ".pause").within(Duration.ZERO, PAUSE_MAX, pause);
    new Setting(property + ".usage.input").within(0, TOKENS_MAX, usage.input());
    new Setting(property + ".usage.output").within(0, TOKENS_MAX, usage.output());
    if (error != null) {
      new Setting(property + ".error.status").within(400, 599, error.status());
    }
    when.check(property + ".when");
    call.forEach(it -> it.check(property + ".call"));
  }

  /// What a request must have, all of it.
  ///
  /// @param user regular expressions that are found in the user's last words
  /// @param system regular expressions that are found in the system's words
  /// @param last role of the last message: `user`, `assistant` or `tool`
  /// @param tool the name of a tool that is offered
  /// @param turn how many answers the conversation has with this one, from 1
  public record When(
      @DefaultValue List<String> user,
      @DefaultValue List<String> system,
      @Nullable String last,
      @Nullable String tool,
      @Nullable Integer turn) {

    public When {
      user = List.copyOf(user);
      system = List.copyOf(system);
    }

    private void check(String property) {
      Stream.concat(user.stream(), system.stream())
          .forEach(it -> {
            try {
              Pattern.compile(it);
            } catch (PatternSyntaxException e) {
              throw new Setting(property)
                  .invalid("holds '%s', no regular expression: %s".formatted(it, e.getMessage()));
            }
          });
      if (last != null && !last.matches("user|assistant|tool")) {
        throw new Setting(property + ".last").invalid("must be user, assistant or tool");
      }
      if (turn != null) {
        new Setting(property + ".turn").within(1, 1_000_000, turn);
      }
    }
  }

  /// A tool that is asked for.
  ///
  /// @param arguments JSON object as text; `{user}` and the like in its texts stand for parts of
  ///   the request
  public record ScriptedCall(@DefaultValue("") String name, @DefaultValue("{}") String arguments) {

    private void check(String property) {
      if (!name.matches("[A-Za-z0-9_-]{1,64}")) {
        throw new Setting(property).invalid("needs the name of a tool");
      }
      if (!isObject()) {
        throw new Setting(property).invalid("needs arguments that are a JSON object, as text");
      }
    }

    private boolean isObject() {
      try {
        return Json.read(arguments) instanceof ObjectValue;
      } catch (JsonException _) {
        return false;
      }
    }
  }

  /// Tokens of the request and of the answer.
  public record Usage(@DefaultValue("11") int input, @DefaultValue("7") int output) {}

  /// A failure of the provider.
  ///
  /// @param status as of HTTP, such as 429
  /// @param retryAfter how long it asks to be left alone
  public record Failure(
      @DefaultValue("500") int status,
      @DefaultValue("scripted") String message,
      @Nullable Duration retryAfter) {}
}
