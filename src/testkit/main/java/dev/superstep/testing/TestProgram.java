package dev.superstep.testing;

import dev.superstep.definition.type.CachedNode;
import dev.superstep.engine.Compaction;
import dev.superstep.engine.Compactor;
import dev.superstep.engine.Program;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.node.Summarizer;
import dev.superstep.engine.run.TaskFailedException;
import dev.superstep.graph.Node;
import dev.superstep.graph.NodeId;
import dev.superstep.node.MockableNode;
import dev.superstep.node.NodeResults;
import java.util.HashMap;
import java.util.Set;

/// A graph whose nodes call nothing outside.
final class TestProgram {
  /// Types whose nodes only compute. All others are answered for.
  private static final Set<String> COMPUTING =
      Set.of("expression", "router", "human", "wait", "fail");

  private final TestAnswers answers;
  private final TestObserver watch;

  TestProgram(TestAnswers answers, TestObserver watch) {
    this.answers = answers;
    this.watch = watch;
  }

  Program of(Program program) {
    var runners = new HashMap<NodeId, NodeRunner>();
    for (var node : program.graph().nodes()) {
      runners.put(node.id(), new Watched(runner(node, program.runner(node.id())), watch));
    }
    var compactions = program.compactions().stream().map(TestProgram::here).toList();
    return new Program(program.graph(), runners, compactions, program.contexts());
  }

  private NodeRunner runner(Node node, NodeRunner runner) {
    return switch (runner) {
      case CachedNode cached -> runner(node, cached.node());
      case NodeRunner it when answers.runs(node) -> it;
      case MockableNode mockable -> mockable.answeredBy(answers);
      case NodeRunner _ when answers.replaces(node) -> replaced();
      case Compactor compactor when compactor.summarizer().pure() -> compactor;
      case NodeRunner it -> COMPUTING.contains(node.type()) ? it : replaced();
    };
  }

  /// A node in whose place the test speaks.
  private NodeRunner replaced() {
    return call -> NodeResults.parse(answers.of(call));
  }

  /// A summary that would come from outside is not made, as if that had failed: history stays.
  private static Compaction here(Compaction compaction) {
    var compactor = compaction.compactor();
    Summarizer none =
        (_, _) -> {
          throw TaskFailedException.permanent("not_mocked", "tests make no such summaries");
        };
    return compactor.summarizer().pure()
        ? compaction
        : new Compaction(
            compaction.when(), new Compactor(compactor.channel(), compactor.keepLast(), none));
  }

  /// A node whose calls are seen.
  private record Watched(NodeRunner node, TestObserver watch) implements NodeRunner {

    @Override
    public Outcome run(NodeCall call) throws Exception {
      watch.called(call);
      return node.run(call);
    }

    @Override
    public boolean pure() {
      return node.pure();
    }

    @Override
    public boolean keepsParts() {
      return node.keepsParts();
    }

    @Override
    public boolean spends() {
      return node.spends();
    }
  }
}
