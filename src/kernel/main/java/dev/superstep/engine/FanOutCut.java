package dev.superstep.engine;

import dev.superstep.engine.checkpoint.TaskRecord.Interrupt;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/// Ends the dispatches that a decided policy needs no more (E54): what has not begun does not
/// begin, what runs is abandoned, children and workers are told. Outcomes count in the order in
/// which the driver takes them, those of before its claim by their times; what follows the decision
/// counts for nothing.
///
/// What decides is recorded with the cut where anybody outside can notice that: so a crash leaves
/// both or neither.
final class FanOutCut {
  private final FanOuts fanOuts;
  private final DriverContext driver;
  private final Admission admission;
  private final RemoteTasks remoteTasks;
  private final OutcomeRecorder outcomeRecorder;
  private final Consumer<List<String>> closing;
  private final Set<FanOutGroup> noted = new LinkedHashSet<>(0);

  /// @param closing closes questions, and delivers the answers that have come before
  FanOutCut(
      FanOuts fanOuts,
      DriverContext driver,
      Admission admission,
      RemoteTasks remoteTasks,
      OutcomeRecorder outcomeRecorder,
      Consumer<List<String>> closing) {
    this.fanOuts = fanOuts;
    this.driver = driver;
    this.admission = admission;
    this.remoteTasks = remoteTasks;
    this.outcomeRecorder = outcomeRecorder;
    this.closing = closing;
  }

  /// Takes over how the tasks stood when they were opened.
  void open() {
    for (var group : fanOuts.all()) {
      group.members().forEach(group::note);
      noted.add(group);
    }
  }

  /// A task may have ended. What has ended stays as it is, whatever it comes behind.
  void note(OpenTask openTask) {
    var group = fanOuts.of(openTask);
    if (group != null) {
      group.note(openTask);
      noted.add(group);
    }
  }

  /// Whether the failure of the task is one that its group can bear, as far as is known.
  boolean tolerates(OpenTask openTask) {
    var group = fanOuts.of(openTask);
    return group != null && !group.isExceeded();
  }

  /// Ends what is not needed any more, and goes on with what is needed again.
  void apply() {
    while (!noted.isEmpty()) {
      var changed = List.copyOf(noted);
      noted.clear();
      changed.forEach(this::apply);
    }
  }

  private void apply(FanOutGroup group) {
    if (group.isDecided()) {
      cut(group);
    } else if (group.isCut()) {
      group.cut(false);
      group.members().stream().filter(OpenTask::isCancelled).forEach(this::reopen);
    }
  }

  private void reopen(OpenTask openTask) {
    openTask.reopen();
    admission.ready(openTask);
  }

  private void cut(FanOutGroup group) {
    var asking = group.members().stream().flatMap(it -> it.openInterrupt().stream()).toList();
    if (!asking.isEmpty()) {
      recordEnded(group);
      outcomeRecorder.flush();
      closing.accept(asking.stream().map(Interrupt::id).toList());
    }
    var open = group.members().stream().filter(it -> !it.hasEnded()).toList();
    if (open.isEmpty()) {
      return;
    }
    boolean told = open.stream().anyMatch(OpenTask::isOut);
    open.forEach(this::end);
    group.cut(true);
    recordEnded(group);
    if (told) {
      outcomeRecorder.flush();
    }
  }

  /// What never began needs no record: the others say that it is not needed.
  private void recordEnded(FanOutGroup group) {
    group.members().stream()
        .filter(it -> it.hasEnded() && it.isUnrecorded())
        .filter(it -> it.attempts() > 0 || !it.isCancelled())
        .forEach(outcomeRecorder::addDecided);
  }

  private void end(OpenTask member) {
    switch (member.phase()) {
      case READY -> admission.withdraw(member);
      case RUNNING -> {
        member.abandon();
        admission.ended(member);
      }
      case SLEEPING -> admission.forget(member);
      case AWAY -> remoteTasks.forget(member);
      case SETTLED -> {}
    }
    member.cancel(driver.now());
  }
}
