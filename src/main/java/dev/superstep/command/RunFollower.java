package dev.superstep.command;

import dev.superstep.json.Json;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.violation.Pointer;
import java.util.Optional;
import java.util.Set;

/// Follows a run until it is at rest, and says how it ended.
final class RunFollower {
  private static final Set<String> AT_REST =
      Set.of("succeeded", "failed", "cancelled", "interrupted");

  private final ApiClient server;
  private final Output output;
  private final EventPrinter printer;
  private String run;

  /// The stored event that was seen last.
  private Optional<String> seen = Optional.empty();

  RunFollower(ApiClient server, Output output, String run) {
    this.server = server;
    this.output = output;
    this.run = run;
    this.printer = new EventPrinter(output.err());
  }

  /// Starts a run by the stream that follows it, and takes that stream's events. A model streams
  /// its words only if the run is watched when the model is called, which may be at once.
  static RunFollower startedByStream(ApiClient server, Output output, ObjectValue body) {
    var follower = new RunFollower(server, output, "");
    follower.run = server.start("/v1/runs/stream", body, follower::see);
    return follower;
  }

  Exit leave() {
    output.out().println(run);
    return Exit.OK;
  }

  /// Takes what has been stored so far as seen.
  void skip() {
    var page = server.get("/v1/runs/%s/events?limit=200".formatted(run));
    while (Pointer.find(page, "/items").orElse(Value.NULL) instanceof ListValue events
        && !events.isEmpty()) {
      seen = Optional.of(ApiClient.text(events.get(events.size() - 1), "/seq"));
      page = server.get("/v1/runs/%s/events?limit=200&after=%s".formatted(run, seen.get()));
    }
  }

  Exit await() {
    Value now;
    do {
      now = server.get("/v1/runs/%s?wait=60s".formatted(run));
    } while (!isAtRest(now));
    return end(now);
  }

  /// A stream that breaks is begun anew behind the last event, a second later at most: a server
  /// that is shutting down ends each at once.
  Exit watch() {
    Value now;
    do {
      server.stream("/v1/runs/%s/stream".formatted(run), seen, this::see);
      now = server.get("/v1/runs/%s?wait=1s".formatted(run));
    } while (!isAtRest(now));
    printer.endLine();
    return end(now);
  }

  private void see(ApiClient.Event event) {
    event.id().ifPresent(it -> seen = Optional.of(it));
    printer.print(event.body());
  }

  private boolean isAtRest(Value now) {
    return AT_REST.contains(server.required(now, "/status"));
  }

  private Exit end(Value now) {
    return switch (ApiClient.text(now, "/status")) {
      case "succeeded" -> {
        output.out().println(Json.write(Pointer.find(now, "/output").orElse(Value.NULL)));
        yield Exit.OK;
      }
      case "interrupted" -> {
        ask(now);
        yield Exit.ASKED;
      }
      case "failed" -> {
        var node = ApiClient.text(now, "/error/node");
        output
            .err()
            .println(
                "run %s failed%s: %s: %s"
                    .formatted(
                        run,
                        node.isEmpty() ? "" : " in '%s'".formatted(node),
                        ApiClient.text(now, "/error/code"),
                        ApiClient.text(now, "/error/message")));
        yield Exit.FAILED;
      }
      default -> {
        output.err().println("run %s was cancelled".formatted(run));
        yield Exit.FAILED;
      }
    };
  }

  private void ask(Value now) {
    var open =
        Pointer.find(now, "/interrupts").orElse(Value.NULL) instanceof ListValue questions
            ? questions
            : ListValue.of();
    if (open.isEmpty()) {
      output.err().println("run %s stopped at a breakpoint; go on: resume %s".formatted(run, run));
    }
    for (var question : open) {
      output
          .err()
          .println(
              "run %s asks in '%s': %s\n  answer: resume %s --answer '%s=<json>'"
                  .formatted(
                      run,
                      ApiClient.text(question, "/node"),
                      ApiClient.text(question, "/payload"),
                      run,
                      ApiClient.text(question, "/id")));
    }
  }
}
