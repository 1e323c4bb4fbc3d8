package dev.superstep.bench;

import dev.superstep.state.Change;
import dev.superstep.state.Channel;
import dev.superstep.state.Channels;
import dev.superstep.state.Fold;
import dev.superstep.state.GraphState;
import dev.superstep.state.Reducer;
import dev.superstep.state.StateHash;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
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

/// What keeping the previous version costs, by representation (ADR 10). `grow` appends 100 items
/// one by one; `branch` appends one to the same old version again and again, as every task does
/// that looks at its own update.
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@State(Scope.Thread)
public class StateBenchmark {
  private static final int GROWTH = 100;

  @Param({"10", "1000", "100000"})
  public int size;

  private final Value item = Value.of(7);
  private List<Value> copying = List.of();
  private SharedBuffer buffer = SharedBuffer.of(List.of());
  private ListValue vector = ListValue.empty();
  private TreeMap<String, Value> map = new TreeMap<>();
  private ObjectValue object = ObjectValue.empty();
  private GraphState state = GraphState.empty();
  private GraphState hashed = GraphState.empty();
  private final Channels channels =
      Channels.of(
          List.of(Channel.of("log", new Reducer.Append()), Channel.of("count", new Reducer.Sum())));
  private final List<Change> change =
      List.of(Change.update(ObjectValue.of("log", item).plus("count", item)));

  @Setup
  public void build() {
    var items = new ArrayList<Value>();
    map = new TreeMap<>();
    for (int i = 0; i < size; i++) {
      items.add(Value.of(i));
      map.put("key" + i, item);
    }
    copying = items;
    buffer = SharedBuffer.of(items);
    buffer.plus(item);
    vector = ListValue.of(items);
    object = ObjectValue.of(map);
    state = GraphState.empty().with("log", vector).with("user", Value.of("u")).with("n", item);
    hashed = GraphState.of(state.channels());
    StateHash.of(hashed);
    hashed.sizeBytes();
  }

  @Benchmark
  public Object branchCopying() {
    var longer = new ArrayList<>(copying);
    longer.add(item);
    return longer;
  }

  @Benchmark
  public Object branchSharedBuffer() {
    return buffer.plus(item);
  }

  @Benchmark
  public Object branchVector() {
    return vector.plus(item);
  }

  @Benchmark
  public Object growCopying() {
    var list = copying;
    for (int i = 0; i < GROWTH; i++) {
      var longer = new ArrayList<>(list);
      longer.add(item);
      list = longer;
    }
    return list;
  }

  @Benchmark
  public Object growSharedBuffer() {
    var list = buffer;
    for (int i = 0; i < GROWTH; i++) {
      list = list.plus(item);
    }
    return list;
  }

  @Benchmark
  public Object growVector() {
    var list = vector;
    for (int i = 0; i < GROWTH; i++) {
      list = list.plus(item);
    }
    return list;
  }

  @Benchmark
  public Object putCopyingMap() {
    var copy = new TreeMap<>(map);
    copy.put("key5", Value.NULL);
    return copy;
  }

  @Benchmark
  public Object putObject() {
    return object.plus("key5", Value.NULL);
  }

  /// One task's change to two of four channels.
  @Benchmark
  public Object foldOneTask() {
    var fold = Fold.over(channels, state);
    fold.apply(change);
    return fold.state();
  }

  /// The same, with hash and size of the state after it.
  @Benchmark
  public Object foldHashAndMeasure() {
    var fold = Fold.over(channels, hashed);
    fold.apply(change);
    var after = fold.state();
    return StateHash.of(after).length() + after.sizeBytes();
  }

  @Benchmark
  public Object writeCanonicalForm() {
    return Canonical.bytes(vector);
  }

  /// An array that versions share: the newest appends in place, any other copies.
  private static final class SharedBuffer {
    private final Value[][] items;
    private final int[] used;
    private final int size;

    private SharedBuffer(Value[][] items, int[] used, int size) {
      this.items = items;
      this.used = used;
      this.size = size;
    }

    static SharedBuffer of(List<Value> items) {
      var array = items.toArray(new Value[0]);
      return new SharedBuffer(new Value[][] {array}, new int[] {array.length}, array.length);
    }

    SharedBuffer plus(Value item) {
      if (used[0] == size && size < items[0].length) {
        items[0][size] = item;
        used[0]++;
        return new SharedBuffer(items, used, size + 1);
      }
      var copy = Arrays.copyOf(items[0], size + Math.max(8, size / 2));
      copy[size] = item;
      return new SharedBuffer(new Value[][] {copy}, new int[] {size + 1}, size + 1);
    }
  }
}
