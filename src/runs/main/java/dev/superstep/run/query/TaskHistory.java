package dev.superstep.run.query;

import dev.superstep.checkpoint.StoredCheckpoint;
import dev.superstep.checkpoint.row.Checkpoints;
import dev.superstep.compute.RequestWork;
import dev.superstep.engine.checkpoint.Pending;
import dev.superstep.problem.Cursor;
import dev.superstep.run.Page;
import dev.superstep.run.RunSummary;
import dev.superstep.run.TaskFilter;
import dev.superstep.run.TaskPart;
import dev.superstep.run.TaskView;
import dev.superstep.run.store.EditCounts;
import dev.superstep.run.store.EditCounts.EditKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// Reads all tasks of a run, newest superstep first, in task order within one. A superstep is read
/// only when the page reaches it.
@Component
class TaskHistory {
  private static final int BATCH = 20;
  private static final Pending NOTHING = new Pending(List.of(), Map.of(), false, 0);

  private final Checkpoints checkpoints;
  private final OpenSuperstep open;
  private final EditCounts editCounts;

  TaskHistory(Checkpoints checkpoints, OpenSuperstep open, EditCounts editCounts) {
    this.checkpoints = checkpoints;
    this.open = open;
    this.editCounts = editCounts;
  }

  private record Numbered(TaskView task, int index) {}

  /// Where a page begins: behind task `index` of a superstep.
  private record RecordIndex(int superstep, int index) {
    static final RecordIndex TOP = new RecordIndex(Integer.MAX_VALUE, -1);

    static RecordIndex read(String cursor) {
      var parts = Cursor.read(cursor, 2);
      return new RecordIndex(parts.integer(0), parts.integer(1));
    }

    boolean admits(Numbered it) {
      int at = it.task().key().superstep();
      return at < superstep || (at == superstep && it.index() > index);
    }
  }

  Page<TaskView> list(RunSummary run, TaskFilter filter, Page.Request page) {
    var place = page.cursor().map(RecordIndex::read).orElse(RecordIndex.TOP);
    int wanted = page.limit() + 1;
    var found = new ArrayList<Numbered>();
    collect(numbered(open.tasks(run)), filter, place, found);
    var keys = editCounts.of(run.id());
    int below = below(filter, place);
    while (found.size() < wanted) {
      int kept = found.size();
      var piece = RequestWork.current().piece();
      var batch = checkpoints.committed(run.id(), below, BATCH);
      for (var checkpoint : batch) {
        below = checkpoint.stamp().superstep();
        collect(numbered(tasks(run, checkpoint, keys, filter.without())), filter, place, found);
      }
      if (found.size() == kept) {
        piece.close();
      }
      if (batch.isEmpty() || isBeyond(filter, below)) {
        break;
      }
    }
    var cut = found.subList(0, Math.min(wanted, found.size()));
    var numbered =
        Pages.of(
            cut,
            page.limit(),
            it ->
                List.of(
                    Integer.toString(it.task().key().superstep()), Integer.toString(it.index())));
    return new Page<>(numbered.items().stream().map(Numbered::task).toList(), numbered.next());
  }

  /// The superstep from which on, downwards, tasks can be on the page.
  private static int below(TaskFilter filter, RecordIndex place) {
    int top = Math.min(place.superstep(), filter.superstep().orElse(Integer.MAX_VALUE));
    return Math.min(top, Integer.MAX_VALUE - 1) + 1;
  }

  private static boolean isBeyond(TaskFilter filter, int below) {
    return filter.superstep().map(it -> below <= it).orElse(false);
  }

  private static List<Numbered> numbered(List<TaskView> tasks) {
    var numbered = new ArrayList<Numbered>(tasks.size());
    tasks.forEach(it -> numbered.add(new Numbered(it, numbered.size())));
    return numbered;
  }

  private static void collect(
      List<Numbered> tasks, TaskFilter filter, RecordIndex place, List<Numbered> into) {
    tasks.stream()
        .filter(place::admits)
        .filter(it -> matches(it.task(), filter))
        .forEach(into::add);
  }

  private static boolean matches(TaskView task, TaskFilter filter) {
    return is(filter.superstep(), task.key().superstep())
        && is(filter.node(), task.key().node().value())
        && is(filter.dispatch(), task.key().dispatchId())
        && is(filter.status(), task.status());
  }

  private static <T> boolean is(Optional<T> wanted, @Nullable T actual) {
    return wanted.map(it -> it.equals(actual)).orElse(true);
  }

  /// The tasks of a committed superstep.
  private List<TaskView> tasks(
      RunSummary run, StoredCheckpoint checkpoint, EditKeys keys, Set<TaskPart> without) {
    var stamp = checkpoint.stamp();
    var records = checkpoint.delta().tasks();
    var given =
        !without.contains(TaskPart.INPUT)
            && records.stream().anyMatch(it -> it.key().dispatchId() != null);
    var pending =
        given ? checkpoints.pendingBefore(run.id(), stamp.number()).orElse(NOTHING) : NOTHING;
    var views = new TaskViews(run.status(), pending, keys.behind(stamp.superstep() - 1));
    return records.stream().map(views::view).toList();
  }
}
