package dev.superstep.engine;

import dev.superstep.state.Value;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Hands what API calls and child runs have left to the tasks that wait for it.
final class Deliveries {
  private final List<Slot> slots;
  private final Admission admission;
  private final Endings endings;
  private final DriverContext driver;

  Deliveries(List<Slot> slots, Admission admission, Endings endings, DriverContext driver) {
    this.slots = slots;
    this.admission = admission;
    this.endings = endings;
    this.driver = driver;
  }

  void apply(News news) {
    if (!news.answers().isEmpty() || !news.resolutions().isEmpty()) {
      var open = openInterrupts();
      for (var answer : news.answers()) {
        var slot = open.get(answer.interruptId());
        if (slot != null) {
          answer(slot, answer.interruptId(), answer.value());
        }
      }
      news.resolutions().forEach(this::resolve);
    }
    if (!news.children().isEmpty()) {
      var waiting = waitingForChildren();
      for (var child : news.children()) {
        var slot = waiting.get(child.run());
        if (slot != null) {
          hear(slot, child);
        }
      }
    }
  }

  private Map<String, Slot> openInterrupts() {
    var open = new HashMap<String, Slot>();
    slots.forEach(it -> it.openInterrupt().ifPresent(interrupt -> open.put(interrupt.id(), it)));
    return open;
  }

  void answer(Slot slot, String interruptId, Value value) {
    slot.answer(interruptId, value);
    admission.ready(slot);
  }

  private void resolve(News.Resolution resolution) {
    for (var slot : slots) {
      if (slot.task().key().equals(resolution.task()) && slot.failed()) {
        endings.resolve(slot, NodeResult.of(resolution.change()));
      }
    }
  }

  private Map<String, Slot> waitingForChildren() {
    var waiting = new HashMap<String, Slot>();
    slots.forEach(it -> it.child().ifPresent(child -> waiting.put(child.run(), it)));
    return waiting;
  }

  private void hear(Slot slot, News.Child child) {
    switch (child.status()) {
      case SUCCEEDED, FAILED, CANCELLED -> {
        ended(slot, driver.ports().store().childEnd(child.run()));
        admission.returned(slot);
      }
      case INTERRUPTED, QUEUED, RUNNING, WAITING, CANCELLING -> slot.childIs(child.status());
    }
  }

  private void ended(Slot slot, ChildEnd end) {
    var budget = driver.budget();
    budget.count(slot.takeOver(end.spent()));
    slot.childEnded(budget.told(end, driver.lease().run()));
  }
}
