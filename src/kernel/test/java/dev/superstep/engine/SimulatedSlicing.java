package dev.superstep.engine;

import dev.superstep.engine.node.CheckpointStore;
import dev.superstep.engine.node.Slicing;
import dev.superstep.engine.run.EngineLimits;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.LeaseLostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;

/// Other replicas in a simulation: they execute one slice or none while the driver looks, and may
/// crash, freeze or be too late in the middle of it.
final class SimulatedSlicing implements Slicing {
  private final SimulatedWorld world;
  private final Random random;
  private final int threshold;
  private final CheckpointStore store;
  private final Supplier<SimulatedReplica> replicas;

  /// @param store as other replicas see it
  /// @param replicas the threads and the inbox of one slice
  SimulatedSlicing(
      SimulatedWorld world,
      Random random,
      int threshold,
      CheckpointStore store,
      Supplier<SimulatedReplica> replicas) {
    this.world = world;
    this.random = random;
    this.threshold = threshold;
    this.store = store;
    this.replicas = replicas;
  }

  @Override
  public int threshold() {
    return threshold;
  }

  @Override
  public Optional<Slices> cut(Lease lease, Wide wide) {
    world.count("wide superstep");
    var open = new ArrayList<List<SlicedTask>>();
    int from = 0;
    while (from < wide.tasks().size()) {
      int to = Math.min(wide.tasks().size(), from + 1 + random.nextInt(3));
      open.add(wide.tasks().subList(from, to));
      from = to;
    }
    return Optional.of(new Open(lease, open));
  }

  private final class Open implements Slices {
    private final Lease lease;
    private final List<List<SlicedTask>> open;

    Open(Lease lease, List<List<SlicedTask>> open) {
      this.lease = lease;
      this.open = open;
    }

    @Override
    public Arrivals look() {
      if (random.nextInt(3) == 0) {
        return new Arrivals(List.of(), open.size());
      }
      int number = random.nextInt(open.size());
      if (random.nextInt(30) == 0) {
        world.count("slice given up");
        open.remove(number);
        return new Arrivals(List.of(), open.size());
      }
      if (!execute(open.get(number))) {
        return new Arrivals(List.of(), open.size());
      }
      var keys = open.remove(number).stream().map(SlicedTask::key).toList();
      var recorded = world.store().recorded(lease.run());
      var records = keys.stream().filter(recorded::containsKey).map(recorded::get).toList();
      return new Arrivals(records, open.size());
    }

    private boolean execute(List<SlicedTask> slice) {
      var replica = replicas.get();
      var image = world.store().image(lease.run());
      if (image.lease().epoch() != lease.epoch()) {
        throw new LeaseLostException(lease);
      }
      var indexes = slice.stream().map(SlicedTask::index).toList();
      try {
        var ports = TestPorts.of(store, replica, world.clock()).ports();
        var rest =
            new SliceLoop(ports, EngineLimits.DEFAULT)
                .run(world.program(), image, indexes, replica);
        rest.ifPresent(it -> store.record(lease, it.records(), it.events()));
        return rest.isPresent();
      } catch (SimulatedWorld.Crash e) {
        world.count("slice lost");
      } catch (LeaseLostException e) {
        world.count("zombie slice rejected");
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      return false;
    }

    @Override
    public void withdraw() {
      open.clear();
    }
  }
}
