package dev.superstep.command;

import dev.superstep.state.value.ObjectValue;
import picocli.CommandLine.Option;

/// How a run is followed.
final class FollowOptions {
  @Option(
      names = "--watch",
      description = "Tell what happens while it happens, and the words of models as they come.")
  private boolean watch;

  @Option(names = "--no-wait", description = "Print the run's id and leave it alone.")
  private boolean leave;

  /// Starts a run and follows it.
  Exit start(ApiClient server, Output output, ObjectValue body) {
    if (watch && !leave) {
      return RunFollower.startedByStream(server, output, body).watch();
    }
    var run = server.required(server.post("/v1/runs", body), "/id");
    var follower = new RunFollower(server, output, run);
    return leave ? follower.leave() : follower.await();
  }

  /// Follows a run from here on.
  ///
  /// @param go lets it go on
  Exit follow(RunFollower follower, Runnable go) {
    if (watch) {
      follower.skip();
    }
    go.run();
    return leave ? follower.leave() : watch ? follower.watch() : follower.await();
  }
}
