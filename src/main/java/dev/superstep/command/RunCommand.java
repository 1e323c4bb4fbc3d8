package dev.superstep.command;

import dev.superstep.json.JsonException;
import dev.superstep.json.yaml.Yaml;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.hc.core5.http.ContentType;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Starts a run on a server.
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    description =
        "Starts a run on a server, waits until it is at rest, and prints its output as JSON. A file"
            + " is posted first.")
final class RunCommand implements Callable<Integer> {
  private final Output output;

  @Parameters(
      paramLabel = "GRAPH|FILE",
      description = "The name of a graph on the server, or a definition: YAML, JSON, or a .zip")
  private String graph = "";

  @Option(
      names = "--input",
      paramLabel = "JSON|@FILE|-",
      defaultValue = "{}",
      description = "The input: JSON or YAML, @ and a file that has it, or - for standard input.")
  private String input = "";

  @Option(
      names = "--param",
      paramLabel = "NAME=JSON",
      description = "A param of the graph; may be repeated.")
  private Map<String, String> params = Map.of();

  @Option(names = "--thread", paramLabel = "ID", description = "Continue this thread.")
  private Optional<String> thread = Optional.empty();

  @Mixin private ServerOptions serverOptions = new ServerOptions();
  @Mixin private FollowOptions following = new FollowOptions();

  RunCommand(Output output) {
    this.output = output;
  }

  @Override
  public Integer call() {
    if (!(value("--input", text(input)) instanceof ObjectValue fields)) {
      throw new CommandException("--input must be an object, such as {\"question\": \"…\"}");
    }
    try (var server = serverOptions.open()) {
      var body = ObjectValue.of("graph", Value.of(name(server))).plus("input", fields);
      if (thread.isPresent()) {
        body = body.plus("thread_id", Value.of(thread.get()));
      }
      if (!params.isEmpty()) {
        body = body.plus("params", params());
      }
      return following.start(server, output, body).code();
    }
  }

  /// Posts the definition if a file is meant.
  private String name(ApiClient server) {
    var file = Path.of(graph);
    if (!graph.matches(".*[.](ya?ml|json|zip)") && !Files.isRegularFile(file)) {
      return graph;
    }
    var answer = server.post("/v1/graphs", type(file), DefinitionFiles.bytes(file));
    output
        .err()
        .println(
            "posted %s, version %s"
                .formatted(ApiClient.text(answer, "/name"), ApiClient.text(answer, "/version")));
    return ApiClient.text(answer, "/name");
  }

  private static ContentType type(Path file) {
    return switch (DefinitionFiles.format(file)) {
      case JSON -> ContentType.APPLICATION_JSON;
      case YAML -> ContentType.create("application/yaml", StandardCharsets.UTF_8);
      case ZIP -> ContentType.create("application/zip");
    };
  }

  private ObjectValue params() {
    var values = ObjectValue.empty();
    for (var param : params.entrySet()) {
      values = values.plus(param.getKey(), value("--param " + param.getKey(), param.getValue()));
    }
    return values;
  }

  private static String text(String argument) {
    try {
      return argument.equals("-")
          ? new String(DefinitionFiles.bytes("standard input", System.in), StandardCharsets.UTF_8)
          : argument.startsWith("@")
              ? new String(
                  DefinitionFiles.bytes(Path.of(argument.substring(1))), StandardCharsets.UTF_8)
              : argument;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// @param option as it is named in the sentence, if the text is neither JSON nor YAML
  static Value value(String option, String text) {
    try {
      return Yaml.read(text);
    } catch (JsonException e) {
      var problem = e.problems().getFirst();
      var at =
          problem.hasPosition()
              ? " (line %d, column %d)".formatted(problem.line(), problem.column())
              : "";
      throw new CommandException("%s is no JSON: %s%s".formatted(option, problem.message(), at));
    }
  }
}
