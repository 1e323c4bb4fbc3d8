package dev.superstep.command;

import picocli.CommandLine.Option;

/// How a run is followed.
final class FollowOptions {
  @Option(
      names = "--watch",
      description = "Tell what happens while it happens, and the words of models as they come.")
  private boolean watch;

  @Option(names = "--no-wait", description = "Print the run's id and leave it alone.")
  private boolean leave;

  /// Follows a run that has begun just now.
  Exit follow(ApiClient server, Output output, String run) {
    var follower = new RunFollower(server, output, run);
    return leave ? follower.leave() : watch ? follower.watch() : follower.await();
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
