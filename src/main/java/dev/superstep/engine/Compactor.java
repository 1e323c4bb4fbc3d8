package dev.superstep.engine;

import dev.superstep.state.Change;
import dev.superstep.state.Cut;
import dev.superstep.state.Cutting;
import dev.superstep.state.ListValue;
import dev.superstep.state.Value;

/// Compacts one channel: the last items stay, a summary takes the place of the others. Does nothing
/// where there is nothing to replace.
///
/// @param keepLast how many items stay as they are, at least
public record Compactor(String channel, int keepLast, Summarizer summarizer) implements NodeRunner {

  @Override
  public Outcome run(NodeCall call) throws Exception {
    if (!(call.state().get(channel) instanceof ListValue list)) {
      return new Outcome.Done(NodeResult.NOTHING);
    }
    var range = Cutting.of(list, keepLast);
    return range.isEmpty()
        ? new Outcome.Done(NodeResult.NOTHING)
        : new Outcome.Done(NodeResult.of(Change.cut(cut(list, range.get(), call))));
  }

  private Cut cut(ListValue list, Cutting.Range range, NodeCall call) throws Exception {
    var text = summarizer.summarize(list.slice(range.from(), range.end()), call);
    var cut = Cut.of(channel, list, range);
    return text.map(it -> cut.with(Cutting.summary(it, Cutting.covers(list, range)))).orElse(cut);
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
  boolean canCut(Value value) {
    return value instanceof ListValue list && Cutting.of(list, keepLast).isPresent();
  }
}
