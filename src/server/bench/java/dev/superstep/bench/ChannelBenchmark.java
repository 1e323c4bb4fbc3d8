package dev.superstep.bench;

import dev.superstep.compute.Tokenizer;
import dev.superstep.state.Change;
import dev.superstep.state.Channel;
import dev.superstep.state.Channels;
import dev.superstep.state.CompactionRangeFinder;
import dev.superstep.state.Fold;
import dev.superstep.state.GraphState;
import dev.superstep.state.ListCompaction;
import dev.superstep.state.Reducer;
import dev.superstep.state.StateHash;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// What a channel of messages costs, by its length: folding must not depend on it.
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@State(Scope.Thread)
public class ChannelBenchmark {
  private static final int BLOCKS = 1_000;

  @Param({"1000", "10000", "100000"})
  public int size;

  private final Tokenizer tokenizer = Tokenizer.usual();
  private final Channels channels =
      Channels.of(List.of(Channel.of("messages", new Reducer.Messages())));
  private final List<List<Change>> blocks = new ArrayList<>();
  private ListValue messages = ListValue.empty();
  private GraphState state = GraphState.empty();

  @Setup
  public void build() {
    messages = ListValue.of(IntStream.range(0, size).mapToObj(it -> message("old" + it)).toList());
    state = GraphState.empty().with("messages", messages);
    for (int i = 0; i < BLOCKS; i++) {
      var block = ListValue.of(message("new" + i + "a"), message("new" + i + "b"));
      blocks.add(List.of(Change.update("messages", block)));
    }
    messages.tokens(tokenizer);
    // As the commit before has left it.
    StateHash.of(state);
    state.sizeBytes();
    foldBlocks();
  }

  private static Value message(String id) {
    return ObjectValue.of("id", Value.of(id))
        .plus("role", Value.of("user"))
        .plus("content", Value.of("What is the weather like in the town of " + id + "?"));
  }

  /// 1,000 blocks of two messages by as many tasks.
  @Benchmark
  public GraphState foldBlocks() {
    var fold = Fold.over(channels, state);
    blocks.forEach(fold::apply);
    return fold.state();
  }

  /// The same with hash and size of the state after it, as a commit asks for them.
  @Benchmark
  public Object foldBlocksHashAndMeasure() {
    var after = foldBlocks();
    return StateHash.of(after).length() + after.sizeBytes();
  }

  /// What a commit of one message asks of `tokens_over`.
  @Benchmark
  public long countTokensAfterOneMessage() {
    return messages.plus(message("one more")).tokens(tokenizer);
  }

  /// Planning and folding a compaction that keeps ten messages: linear in what is replaced.
  @Benchmark
  public GraphState compact() {
    var range = CompactionRangeFinder.of(messages, 10).orElseThrow();
    var listCompaction =
        ListCompaction.of("messages", messages, range)
            .with(
                CompactionRangeFinder.summary(
                    "so far", CompactionRangeFinder.covers(messages, range)));
    var fold = Fold.over(channels, state);
    fold.apply(List.of(Change.cut(listCompaction)));
    return fold.state();
  }
}
