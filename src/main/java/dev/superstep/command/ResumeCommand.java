package dev.superstep.command;

import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Lets a run go on.
@Command(
    name = "resume",
    mixinStandardHelpOptions = true,
    description =
        "Answers the questions of a run, passes its breakpoint or runs its failed tasks again, and"
            + " follows it.")
final class ResumeCommand implements Callable<Integer> {
  /// A question's id before the answer.
  private static final Pattern NAMED =
      Pattern.compile("([A-Za-z0-9][A-Za-z0-9._-]{0,127})=(.*)", Pattern.DOTALL);

  private final Output output;

  @Parameters(paramLabel = "RUN", description = "The id of the run")
  private String run = "";

  @Option(
      names = "--answer",
      paramLabel = "[ID=]JSON",
      description =
          "The answer to a question; its id may be left out if there is one. May be repeated.")
  private List<String> answers = List.of();

  @Mixin private ServerOptions serverOptions = new ServerOptions();
  @Mixin private FollowOptions following = new FollowOptions();

  ResumeCommand(Output output) {
    this.output = output;
  }

  @Override
  public Integer call() {
    try (var server = serverOptions.open()) {
      var all = new ArrayList<Value>();
      answers.forEach(it -> all.add(answer(it)));
      var body =
          all.isEmpty()
              ? ObjectValue.empty()
              : ObjectValue.of("answers", ListValue.of(all.toArray(Value[]::new)));
      var path = URLEncoder.encode(run, StandardCharsets.UTF_8);
      return following
          .follow(
              new RunFollower(server, output, path),
              () -> server.post("/v1/runs/%s/resume".formatted(path), body))
          .code();
    }
  }

  private static ObjectValue answer(String argument) {
    var named = NAMED.matcher(argument);
    return named.matches()
        ? ObjectValue.of("interrupt_id", Value.of(named.group(1)))
            .plus("value", RunCommand.value("--answer", named.group(2)))
        : ObjectValue.of("value", RunCommand.value("--answer", argument));
  }
}
