package dev.superstep.engine;

import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.node.Summarizer;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.state.Change;
import dev.superstep.state.CompactionRangeFinder;
import dev.superstep.state.ListCompaction;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.Value;

/// Compacts one channel: the last items stay, a summary replaces the items before them. Does
/// nothing if there is nothing to replace.
///
/// @param keepLast how many items stay as they are, at least
public record Compactor(String channel, int keepLast, Summarizer summarizer) implements NodeRunner {

  @Override
  public Outcome run(NodeCall call) throws Exception {
    if (!(call.state().get(channel) instanceof ListValue list)) {
      return new Outcome.Done(NodeResult.NOTHING);
    }
    var range = CompactionRangeFinder.of(list, keepLast);
    return range.isEmpty()
        ? new Outcome.Done(NodeResult.NOTHING)
        : new Outcome.Done(NodeResult.of(Change.cut(cut(list, range.get(), call))));
  }

  private ListCompaction cut(ListValue list, CompactionRangeFinder.FoundRange range, NodeCall call)
      throws Exception {
    var text = summarizer.summarize(list.slice(range.from(), range.end()), call);
    var listCompaction = ListCompaction.of(channel, list, range);
    return text.map(it ->
            listCompaction.with(
                CompactionRangeFinder.summary(it, CompactionRangeFinder.covers(list, range))))
        .orElse(listCompaction);
  }

  @Override
  public boolean pure() {
    return summarizer.pure();
  }

  @Override
  public boolean spends() {
    return summarizer.spends();
  }

  /// Whether there is something to replace.
  public boolean canCut(Value value) {
    return value instanceof ListValue list && CompactionRangeFinder.of(list, keepLast).isPresent();
  }
}
