package dev.superstep.engine;

import static dev.superstep.engine.TestNodes.set;

import dev.superstep.engine.TestRuns.TestRun;
import dev.superstep.engine.checkpoint.CheckpointKind;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.node.Summarizer;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.state.Change;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;

/// Graphs that talk, and what came of it, for tests of compaction.
public final class Conversations {
  public static final Summarizer COUNT =
      (messages, _) -> Optional.of("summary of %d".formatted(messages.size()));

  private Conversations() {}

  public static long events(TestRun run, String type) {
    return run.events().stream().filter(type::equals).count();
  }

  public static TestGraph conversation(int over, int keepLast, Summarizer summarizer) {
    return new TestGraph().conversation().compact(over, keepLast, summarizer);
  }

  /// A node that says one thing per superstep.
  public static TestGraph loop(TestGraph graph, int rounds) {
    return graph
        .superstepsMax(rounds + 1)
        .node(
            "a",
            call -> {
              int round = call.task().key().superstep();
              return round < rounds ? TestNodes.goTo(change("m" + round), "a") : say("m" + round);
            })
        .edge("__start__", "a");
  }

  public static Change change(String text) {
    return Change.update("messages", messages("assistant", text));
  }

  /// Two nodes side by side that say what the seed wants, call tools and get results.
  public static TestGraph talk(TestGraph graph, long seed) {
    return graph
        .superstepsMax(12)
        .node("a", call -> talk(call, seed, "a"))
        .node("b", call -> talk(call, seed, "b"))
        .edge("__start__", "a", "b");
  }

  static Outcome talk(NodeCall call, long seed, String node) {
    int round = call.task().key().superstep();
    var random = new Random(seed * 1_000 + round * 10L + node.charAt(0));
    var said = new ArrayList<Value>();
    IntStream.range(0, 1 + random.nextInt(4))
        .forEach(it -> addTo(said, random, node + round + "-" + it));
    var change = Change.update("messages", ListValue.of(said));
    return round < 10 ? TestNodes.goTo(change, node) : new Outcome.Done(NodeResult.of(change));
  }

  static void addTo(List<Value> said, Random random, String text) {
    switch (random.nextInt(4)) {
      case 0 -> said.add(plain("user", text));
      case 1 -> {
        var call = ObjectValue.of("id", Value.of(text)).plus("name", Value.of("f"));
        said.add(plain("assistant", "").plus("tool_calls", ListValue.of(call)));
        said.add(plain("tool", text).plus("tool_call_id", Value.of(text)));
      }
      case 2 -> said.add(plain("system", text));
      default -> said.add(plain("assistant", text));
    }
  }

  public static Outcome say(String... texts) {
    return set("messages", messages("user", texts));
  }

  public static ListValue system(int count) {
    return messages(
        "system", IntStream.range(0, count).mapToObj(it -> "s" + it).toArray(String[]::new));
  }

  public static ListValue messages(String role, String... texts) {
    return ListValue.of(List.of(texts).stream().map(it -> plain(role, it)).toList());
  }

  public static ListValue identified(String... ids) {
    return ListValue.of(List.of(ids).stream().map(it -> message(it, "user", it)).toList());
  }

  public static ObjectValue message(String id, String role, String text) {
    return plain(role, text).plus("id", Value.of(id));
  }

  static ObjectValue plain(String role, String text) {
    return ObjectValue.of("role", Value.of(role)).plus("content", Value.of(text));
  }

  public static ListValue list(Value value) {
    return value instanceof ListValue list ? list : ListValue.empty();
  }

  public static List<String> texts(TestRun run, String channel) {
    return list(run.state(channel)).stream()
        .map(it -> ((ObjectValue) it).getOr("content", Value.of("")))
        .map(it -> ((Value.Text) it).value())
        .toList();
  }

  public static List<String> taskKeys(TestRun run) {
    return records(run).stream().map(it -> it.key().toString()).toList();
  }

  public static TaskRecord record(TestRun run, String superstep, String node) {
    return records(run).stream()
        .filter(it -> it.key().toString().equals(superstep + ":" + node))
        .findFirst()
        .orElseThrow();
  }

  static List<TaskRecord> records(TestRun run) {
    return run.runs().store.checkpoints(run.header.id()).stream()
        .filter(it -> it.after().stamp().kind() != CheckpointKind.HELD)
        .flatMap(it -> it.delta().tasks().stream())
        .toList();
  }
}
