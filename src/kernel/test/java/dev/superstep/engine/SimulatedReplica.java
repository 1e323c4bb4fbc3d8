package dev.superstep.engine;

import dev.superstep.engine.node.Inbox;
import dev.superstep.engine.node.TaskPool;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/// The threads and the inbox of one simulated driver: attempts end one at a time, in seeded order,
/// when the driver waits for them; endings may come twice.
final class SimulatedReplica implements TaskPool, Inbox {
  private final SimulatedWorld world;
  private final Random random;
  private final SimulatedWorld.Faults faults;
  private final List<Runnable> running = new ArrayList<>();
  private final Deque<Signal> signals = new ArrayDeque<>();

  SimulatedReplica(SimulatedWorld world, Random random, SimulatedWorld.Faults faults) {
    this.world = world;
    this.random = random;
    this.faults = faults;
  }

  @Override
  public Handle start(PoolTurn turn, Runnable attempt) {
    running.add(attempt);
    return () -> {};
  }

  @Override
  public void put(Signal signal) {
    signals.add(signal);
    if (faults == SimulatedWorld.Faults.SEEDED && random.nextInt(20) == 0) {
      world.count("duplicate delivery");
      signals.add(signal);
    }
  }

  @Override
  public Optional<Signal> poll() {
    return Optional.ofNullable(signals.poll());
  }

  @Override
  public Optional<Signal> take(Optional<Instant> until) {
    if (faults == SimulatedWorld.Faults.SEEDED) {
      switch (random.nextInt(10)) {
        case 0 -> {
          world.pass(Duration.ofMillis(150));
          return Optional.empty();
        }
        case 1 -> {
          if (world.answerMeanwhile()) {
            signals.add(new Signal.Nudge());
          }
        }
        case 2 -> {
          if (world.sendMeanwhile()) {
            signals.add(new Signal.Nudge());
          }
        }
        default -> {}
      }
    }
    if (signals.isEmpty() && !running.isEmpty()) {
      int index = faults == SimulatedWorld.Faults.NONE ? 0 : random.nextInt(running.size());
      running.remove(index).run();
    }
    var signal = signals.poll();
    if (signal == null) {
      until.ifPresent(world::passUntil);
    }
    return Optional.ofNullable(signal);
  }
}
