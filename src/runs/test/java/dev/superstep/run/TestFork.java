package dev.superstep.run;

import dev.superstep.context.ContextEdit;
import dev.superstep.graph.Limits;
import dev.superstep.state.Change;
import java.util.Optional;

/// A request to fork that keeps what it does not name. It joins no thread unless it names one.
record TestFork(
    String run,
    int checkpoint,
    Optional<Integer> version,
    Optional<Change> change,
    Optional<String> asNode,
    Optional<String> thread,
    IfBusy ifBusy) {

  static TestFork of(String run, int checkpoint) {
    return new TestFork(
        run,
        checkpoint,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        IfBusy.REJECT);
  }

  TestFork version(int other) {
    return new TestFork(run, checkpoint, Optional.of(other), change, asNode, thread, ifBusy);
  }

  TestFork change(Change other) {
    return new TestFork(run, checkpoint, version, Optional.of(other), asNode, thread, ifBusy);
  }

  TestFork asNode(String other) {
    return new TestFork(run, checkpoint, version, change, Optional.of(other), thread, ifBusy);
  }

  TestFork onThread(String other, IfBusy strategy) {
    return new TestFork(run, checkpoint, version, change, asNode, Optional.of(other), strategy);
  }

  ForkRun request() {
    return new ForkRun(
        run,
        checkpoint,
        version,
        change,
        asNode,
        Limits.NONE,
        ContextEdit.NONE,
        thread,
        ifBusy,
        SettingsChange.NONE);
  }
}
