package dev.superstep.engine;

import dev.superstep.graph.Limits;
import dev.superstep.graph.NodeId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The tasks of a wide superstep that the replicas execute, until their outcomes are back.
///
/// Only tasks that call out are worth it: shipping one costs more than a pure node does. Tasks of
/// which something is known already, because they asked, slept or failed before, stay here.
final class Shipment {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(250);

  private final Map<TaskKey, Slot> away = new LinkedHashMap<>();
  private Slicing.@Nullable Slices slices;
  private Duration pause = FIRST_PAUSE;
  private Instant lookAt = Instant.MAX;

  private Shipment() {}

  static Shipment of(Frame frame, DriverContext driver, List<Slot> slots) {
    var shipment = new Shipment();
    if (slots.size() >= driver.ports().slicing().threshold()) {
      shipment.send(frame, driver, slots);
    }
    return shipment;
  }

  private void send(Frame frame, DriverContext driver, List<Slot> slots) {
    var worthIt = slots.stream().filter(it -> isWorthIt(frame, it)).toList();
    var slicing = driver.ports().slicing();
    if (worthIt.size() < slicing.threshold()) {
      return;
    }
    var parts = worthIt.stream().map(it -> new Slicing.Part(it.index(), it.task().key())).toList();
    var wide =
        new Slicing.Wide(frame.at().number(), frame.superstep(), parts, bound(frame, worthIt));
    slices = slicing.cut(driver.lease(), wide).orElse(null);
    if (slices != null) {
      worthIt.forEach(this::ship);
      lookAt = driver.now().plus(pause);
    }
  }

  private static boolean isWorthIt(Frame frame, Slot slot) {
    return slot.phase() == Slot.Phase.READY
        && slot.record() == null
        && !slot.task().isEngines()
        && isWorthIt(frame.program().runner(slot.task().key().node()), frame.limits());
  }

  /// What draws on a budget stays where the others are that draw on it.
  private static boolean isWorthIt(NodeRunner runner, Limits limits) {
    return !runner.pure() && !runner.keepsParts() && !(runner.spends() && Budget.isIn(limits));
  }

  /// The narrowest bound that holds over all replicas, if there is one that can be reached (E12).
  private static Optional<Integer> bound(Frame frame, List<Slot> slots) {
    var counts = new HashMap<NodeId, Integer>();
    slots.forEach(it -> counts.merge(it.task().key().node(), 1, Integer::sum));
    var bound = frame.limits().concurrencyMax();
    for (var count : counts.entrySet()) {
      int max = frame.program().graph().node(count.getKey()).policy().maxConcurrency();
      if (max > 0 && max < count.getValue() && max < bound.orElse(Integer.MAX_VALUE)) {
        bound = Optional.of(max);
      }
    }
    return bound;
  }

  private void ship(Slot slot) {
    slot.ship();
    away.put(slot.task().key(), slot);
  }

  /// Whether nothing is away.
  boolean isBack() {
    return slices == null;
  }

  /// When to look next, while something is away.
  Optional<Instant> lookAt() {
    return isBack() ? Optional.empty() : Optional.of(lookAt);
  }

  /// The slots whose outcomes have come in. Should a slice come back without some of its outcomes,
  /// because it was given up, its tasks are ready to be run here.
  List<Slot> receive(Instant now) {
    var open = slices;
    if (open == null || lookAt.isAfter(now)) {
      return List.of();
    }
    var arrivals = open.look();
    var back = new ArrayList<Slot>();
    for (var record : arrivals.records()) {
      var slot = away.remove(record.key());
      if (slot != null) {
        slot.arrive(record);
        back.add(slot);
      }
    }
    if (arrivals.open() == 0) {
      away.values().forEach(Slot::recall);
      back.addAll(away.values());
      withdraw();
    }
    pause = back.isEmpty() ? longer(pause) : FIRST_PAUSE;
    lookAt = now.plus(pause);
    return back;
  }

  private static Duration longer(Duration pause) {
    var longer = pause.multipliedBy(3).dividedBy(2);
    return longer.compareTo(LONGEST_PAUSE) < 0 ? longer : LONGEST_PAUSE;
  }

  /// Calls back what is still away.
  void withdraw() {
    var open = slices;
    if (open != null) {
      slices = null;
      away.clear();
      open.withdraw();
    }
  }
}
