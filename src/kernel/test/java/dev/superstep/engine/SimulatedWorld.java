package dev.superstep.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.checkpoint.PreparedCheckpoint;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.node.CheckpointStore;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.Slicing;
import dev.superstep.engine.run.EngineLimits;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.InboxMessage;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.LeaseLostException;
import dev.superstep.engine.run.RunHead;
import dev.superstep.engine.run.RunSignals;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.graph.InboxPolicy;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// One run, the replicas that drive it one after another or over one another, the people who answer
/// it, and what goes wrong. Everything happens on one thread, on a virtual clock, in an order drawn
/// from the seed: the same seed gives the same history.
public final class SimulatedWorld {
  private static final int CALLS_MAX = 20_000;
  private static final int DEPTH_MAX = 3;
  private static final String RUN = "run";

  private final Random random;
  private final Faults faults;
  private final int threshold;
  private Instant now = Instant.parse("2030-01-01T00:00:00Z");
  private final InMemoryCheckpointStore store;
  private final Program program;
  private final RunStart.StartState origin;
  private boolean repaired;
  private int depth;
  private int calls;
  private final Map<String, Integer> injected = new LinkedHashMap<>();
  private final TreeMap<Integer, TreeSet<String>> ledger = new TreeMap<>();
  private final List<String> broken = new ArrayList<>();
  private final Effects effects;
  private @Nullable SimulatedPauses pauses;
  private int toSend;
  private int sent;

  /// Whether nodes that others notice say so.
  enum Effects {
    DECLARED,
    /// They say that they are pure.
    DENIED
  }

  enum Faults {
    NONE,
    SEEDED
  }

  /// What must be equal between a disturbed run and an undisturbed one.
  ///
  /// @param supersteps state hash and pending activations after each committed superstep
  /// @param ledger keys of the calls that others noticed, by superstep
  record History(RunStatus status, String error, List<String> supersteps, Map<Integer, ?> ledger) {}

  /// A crash of the replica at a store call.
  public static final class Crash extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  SimulatedWorld(long seed, Faults faults) {
    this(seed, faults, InMemoryCheckpointStore.Fence.KEPT);
  }

  SimulatedWorld(long seed, Faults faults, InMemoryCheckpointStore.Fence fence) {
    this(seed, faults, fence, Integer.MAX_VALUE);
  }

  /// @param threshold tasks that make a superstep wide
  SimulatedWorld(long seed, Faults faults, InMemoryCheckpointStore.Fence fence, int threshold) {
    this(seed, faults, fence, threshold, Effects.DECLARED);
  }

  SimulatedWorld(
      long seed,
      Faults faults,
      InMemoryCheckpointStore.Fence fence,
      int threshold,
      Effects effects) {
    this.effects = effects;
    store = new InMemoryCheckpointStore(() -> now, fence);
    this.threshold = threshold;
    random = new Random(seed * 31 + 7);
    this.faults = faults;
    var graph = new SimulatedGraph(seed, this);
    program = graph.program();
    origin = graph.origin();
  }

  /// One in which people send so many messages while the run goes on.
  static SimulatedWorld talking(long seed, int messages, InboxPolicy policy) {
    var world = new SimulatedWorld(seed, policy);
    world.toSend = messages;
    return world;
  }

  /// One in which people pause the run, step through it and have it go on.
  static SimulatedWorld pausing(long seed, Faults faults) {
    var world = new SimulatedWorld(seed, faults);
    world.pauses = new SimulatedPauses(world.store, RUN, new Random(seed + 41), world::count);
    return world;
  }

  private SimulatedWorld(long seed, InboxPolicy policy) {
    store = new InMemoryCheckpointStore(() -> now);
    threshold = Integer.MAX_VALUE;
    effects = Effects.DECLARED;
    random = new Random(seed * 31 + 7);
    faults = Faults.SEEDED;
    var graph = new SimulatedGraph(seed, this).inbox(policy);
    program = graph.program();
    origin = graph.origin();
  }

  /// One with this graph.
  SimulatedWorld(long seed, int threshold, Program program) {
    store = new InMemoryCheckpointStore(() -> now);
    this.threshold = threshold;
    effects = Effects.DECLARED;
    random = new Random(seed * 31 + 7);
    faults = Faults.SEEDED;
    this.program = program;
    origin = RunStart.StartState.NOTHING;
  }

  boolean seesThrough() {
    return effects == Effects.DENIED;
  }

  /// I13: what a call depends on is on disk before others notice the call; and they notice calls in
  /// the order of supersteps, whatever is done again.
  void noticed(NodeCall call) {
    var key = call.task().key();
    int onDisk = store.image(RUN).checkpoint().superstep();
    if (onDisk < key.superstep() - 1) {
      broken.add("I13: %s is called, and superstep %d is on disk".formatted(key, onDisk));
    }
    boolean first =
        ledger.computeIfAbsent(key.superstep(), _ -> new TreeSet<>()).add(key.toString());
    if (first && ledger.lastKey() > key.superstep()) {
      broken.add("I13: %s is called behind superstep %d".formatted(key, ledger.lastKey()));
    }
  }

  boolean repaired() {
    return repaired;
  }

  Map<String, Integer> injected() {
    return injected;
  }

  InMemoryCheckpointStore store() {
    return store;
  }

  Program program() {
    return program;
  }

  History live() {
    var header = TestRunHeader.of(RUN, "graph", 1, 0, ObjectValue.empty());
    var begin =
        new RunStart(program, EngineLimits.DEFAULT, () -> now)
            .begin(header, ObjectValue.empty(), origin);
    if (!(begin instanceof PreparedCheckpoint.Ready(var write))) {
      throw new IllegalStateException(begin.toString());
    }
    store.start(
        header,
        write,
        new RunHead(
            RunStatus.QUEUED,
            0,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            RunHead.Passed.NONE,
            Duration.ZERO));
    while (!over()) {
      drive();
      act();
      sendMeanwhile();
    }
    assertThat(broken).isEmpty();
    return history();
  }

  private boolean over() {
    return switch (store.head(RUN).status()) {
      case SUCCEEDED, CANCELLED -> true;
      case FAILED ->
          repaired || !store.head(RUN).error().orElseThrow().error().code().equals("broken");
      case QUEUED, RUNNING, WAITING, INTERRUPTED, CANCELLING -> false;
    };
  }

  /// One replica claims the run and drives it until it rests, crashes or is fenced off.
  private void drive() {
    depth++;
    try {
      var replica = new SimulatedReplica(this, random, faults);
      var ports = TestPorts.of(new FaultyStore(), replica, () -> now).slicing(slicing()).ports();
      new SuperstepLoop(ports, EngineLimits.DEFAULT).drive(program, store.claim(RUN), replica);
    } catch (Crash e) {
      count("crash");
    } catch (LeaseLostException e) {
      count("zombie rejected");
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    } finally {
      depth--;
    }
  }

  private Slicing slicing() {
    return threshold == Integer.MAX_VALUE
        ? Slicing.NONE
        : new SimulatedSlicing(
            this,
            random,
            threshold,
            new FaultyStore(),
            () -> new SimulatedReplica(this, random, faults));
  }

  InstantSource clock() {
    return () -> now;
  }

  /// What people and timers do to a run that rests.
  private void act() {
    if (pauses != null && pauses.goOn()) {
      return;
    }
    switch (store.head(RUN).status()) {
      case INTERRUPTED -> answerSome();
      case WAITING -> store.head(RUN).wakesAt().ifPresent(this::passUntil);
      case FAILED -> {
        repaired = true;
        store.release(RUN);
      }
      case QUEUED, RUNNING, SUCCEEDED, CANCELLING, CANCELLED -> {}
    }
  }

  private void answerSome() {
    var open = open();
    if (open.isEmpty()) {
      return; // all are answered, and the replica that claimed the run has crashed
    }
    if (open.getFirst().getValue().interrupt().expiresAt().isPresent() && random.nextBoolean()) {
      store.head(RUN).wakesAt().ifPresent(this::passUntil);
      return;
    }
    int many = faults == Faults.NONE ? 1 : 1 + random.nextInt(open.size());
    for (int i = 0; i < many; i++) {
      answer(open.get(i));
    }
  }

  private void answer(Map.Entry<String, StoredRun.StoredInterrupt> open) {
    var reason = open.getValue().interrupt().reason();
    store.answer(
        RUN,
        open.getKey(),
        Value.of(Long.parseLong(reason.substring(reason.lastIndexOf(' ') + 1))));
  }

  private List<Map.Entry<String, StoredRun.StoredInterrupt>> open() {
    var open = new ArrayList<>(store.interrupts(RUN).entrySet());
    open.removeIf(it -> !it.getValue().status().equals("open"));
    open.sort(Map.Entry.comparingByKey());
    return open;
  }

  void passUntil(Instant until) {
    if (until.isAfter(now)) {
      now = until;
    }
  }

  void pass(Duration time) {
    now = now.plus(time);
  }

  /// Somebody answers while the run is being driven.
  boolean answerMeanwhile() {
    var open = open();
    if (open.isEmpty()) {
      return false;
    }
    answer(open.get(random.nextInt(open.size())));
    count("answer meanwhile");
    return true;
  }

  /// Somebody sends a message, whatever the run does.
  boolean sendMeanwhile() {
    if (sent >= toSend || random.nextInt(3) == 0) {
      return false;
    }
    var message =
        new InboxMessage(
            0, "m" + sent, "said", Value.of("m" + sent), InboxMessage.IfUntaken.FOLD, now);
    boolean accepted = store.send(RUN, message);
    if (accepted) {
      sent++;
      count("message");
    }
    return accepted;
  }

  void count(String fault) {
    injected.merge(fault, 1, Integer::sum);
  }

  private void step() {
    if (++calls > CALLS_MAX) {
      throw new IllegalStateException("the run does not come to an end");
    }
  }

  private History history() {
    var supersteps = new ArrayList<String>();
    for (var stored : store.checkpoints(RUN)) {
      var after = stored.after();
      switch (after.stamp().kind()) {
        case STEP, FINAL, INPUT ->
            supersteps.add(
                after.superstep()
                    + " "
                    + after.stateHash()
                    + " "
                    + after.pending().activations()
                    + after.pending().arrivals());
        case HELD, UPDATE, FORK -> {}
      }
    }
    var runHead = store.head(RUN);
    return new History(
        runHead.status(),
        runHead.error().map(it -> it.error().code()).orElse(""),
        supersteps,
        ledger);
  }

  /// The store as a replica sees it: a call may crash before or after, or the replica may freeze
  /// while another one takes the run over.
  private final class FaultyStore implements CheckpointStore {

    @Override
    public CommitResult commit(Lease lease, List<Commit> commits) {
      before();
      if (pauses != null) {
        pauses.meanwhile();
      }
      var head = store.head(RUN);
      var result = store.commit(lease, commits);
      if (pauses != null && result instanceof CommitResult.Committed) {
        pauses.check(head, commits);
      }
      SimulationInvariants.check(store, RUN, program);
      after();
      return result;
    }

    @Override
    public void record(Lease lease, List<TaskRecord> records, List<Event> events) {
      before();
      store.record(lease, records, events);
      after();
    }

    @Override
    public RunSignals signals(Lease lease) {
      before();
      return store.signals(lease);
    }

    @Override
    public RunSignals expire(Lease lease, List<String> interrupts) {
      before();
      return store.expire(lease, interrupts);
    }

    private void before() {
      step();
      if (pauses != null && pauses.isPaused()) {
        return; // nobody claims it
      }
      if (faults == Faults.NONE) {
        return;
      }
      switch (random.nextInt(16)) {
        case 0 -> throw new Crash();
        case 1 -> {
          if (depth < DEPTH_MAX && !over()) {
            count("takeover");
            drive();
          }
        }
        case 2 -> answerMeanwhile();
        case 3, 4 -> sendMeanwhile();
        default -> {}
      }
    }

    /// The write is on disk, its acknowledgement is lost.
    private void after() {
      if (faults == Faults.SEEDED && random.nextInt(16) == 0) {
        count("lost acknowledgement");
        throw new Crash();
      }
    }
  }
}
