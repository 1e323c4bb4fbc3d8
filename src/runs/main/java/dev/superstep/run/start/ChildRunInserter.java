package dev.superstep.run.start;

import dev.superstep.checkpoint.ChildWrites;
import dev.superstep.checkpoint.StoredForm;
import dev.superstep.checkpoint.row.RunOrigin;
import dev.superstep.database.PoolEntities;
import dev.superstep.database.Pools;
import dev.superstep.definition.GraphRegistry;
import dev.superstep.engine.checkpoint.ChildRef;
import dev.superstep.engine.checkpoint.ChildStart;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.checkpoint.TaskRecord.TaskStatus;
import dev.superstep.engine.run.Lease;
import dev.superstep.run.drive.LocalRunStarter;
import dev.superstep.run.drive.LocalRuns;
import dev.superstep.run.store.ChildRunEntity;
import dev.superstep.run.store.RunInputEntity;
import dev.superstep.schedule.DatabaseClock;
import dev.superstep.schedule.Wake;
import dev.superstep.schedule.WakeUps;
import dev.superstep.state.value.Canonical;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Inserts the child runs of tasks, on the connection of the parent's write. If this process has
/// room it owns them from the start, like the runs of clients.
@Component
class ChildRunInserter implements ChildWrites {
  private final JdbcClient jdbc;
  private final PoolEntities entities;
  private final InsertRunsStatement statement;
  private final LocalRunStarter localRunStarter;
  private final GraphRegistry graphs;
  private final WakeUps wakeUps;
  private final DatabaseClock clock;
  private final UnneededChildren unneededChildren;

  /// @param localRun null: it is queued
  private record Child(NewRun newRun, LocalRuns.@Nullable LocalRun localRun) {}

  private record Parent(
      int checkpoint,
      short priority,
      String caller,
      String root,
      int depth,
      boolean unwanted,
      boolean pausing) {}

  ChildRunInserter(
      @Qualifier(Pools.ENGINE) JdbcClient jdbc,
      @Qualifier(Pools.ENGINE) PoolEntities entities,
      InsertRunsStatement statement,
      LocalRunStarter localRunStarter,
      GraphRegistry graphs,
      WakeUps wakeUps,
      DatabaseClock clock,
      UnneededChildren unneededChildren) {
    this.jdbc = jdbc;
    this.entities = entities;
    this.statement = statement;
    this.localRunStarter = localRunStarter;
    this.graphs = graphs;
    this.wakeUps = wakeUps;
    this.clock = clock;
    this.unneededChildren = unneededChildren;
  }

  @Override
  public void insert(Lease lease, List<TaskRecord> records) {
    var wanted = missing(lease.run(), records);
    if (wanted.isEmpty()) {
      return;
    }
    var parent = parent(lease.run());
    if (parent.unwanted()) {
      return; // a cancel would miss them: it has read its descendants
    }
    var children = new ArrayList<Child>();
    for (var record : wanted) {
      var newRun = newRun(lease.run(), parent, start(record).orElseThrow());
      var caller = newRun.origin().caller();
      var here =
          parent.pausing()
              ? Optional.<LocalRuns.LocalRun>empty()
              : localRunStarter.reserve(newRun.id(), caller);
      children.add(new Child(newRun, here.orElse(null)));
    }
    insert(children);
    if (parent.pausing()) {
      pause(wanted);
    }
    link(lease.run(), parent, wanted);
  }

  /// The call that pauses the parent has missed them. They pause when they are claimed. A hold that
  /// begins them stands at no breakpoint but that of a pause.
  private void pause(List<TaskRecord> records) {
    int _ =
        jdbc.sql(
                "update run set pause_superstep = 0, form = greatest(form, ?) where id ="
                    + " any(?::text[])")
            .params(StoredForm.WITH_PAUSES, ids(records))
            .update();
  }

  @Override
  public void cancel(Lease lease, List<TaskRecord> records) {
    unneededChildren.cancel(
        lease.run(),
        records.stream().flatMap(it -> ChildRef.of(it).stream()).map(ChildRef::run).toList());
  }

  private static Optional<ChildStart> start(TaskRecord record) {
    return record.status() instanceof TaskStatus.Child(_, var start) ? start : Optional.empty();
  }

  private List<TaskRecord> missing(String parent, List<TaskRecord> records) {
    var wanted = records.stream().filter(it -> start(it).isPresent()).toList();
    var inserted =
        new HashSet<>(
            jdbc.sql("select child from child_run where child = any(?::text[]) and parent = ?")
                .param(ids(wanted))
                .param(parent)
                .query((row, _) -> row.getString(1))
                .list());
    return wanted.stream().filter(it -> !inserted.contains(id(it))).toList();
  }

  private static String id(TaskRecord record) {
    return start(record).orElseThrow().header().id();
  }

  private static String[] ids(List<TaskRecord> records) {
    return records.stream().map(ChildRunInserter::id).toArray(String[]::new);
  }

  private Parent parent(String run) {
    return jdbc.sql(
            """
            select run.checkpoint, run.priority, run.caller, run.cancel_requested_at is not null as unwanted,
                   coalesce(run.pause_superstep <= run.superstep, run.breakpoint is not null) as pausing,
                   coalesce(child_run.root, run.id) as root, coalesce(child_run.depth, 0) as depth
              from run left join child_run on child_run.child = run.id
             where run.id = ?
            """)
        .param(run)
        .query((row, _) ->
            new Parent(
                row.getInt("checkpoint"),
                row.getShort("priority"),
                row.getString("caller"),
                row.getString("root"),
                row.getInt("depth"),
                row.getBoolean("unwanted"),
                row.getBoolean("pausing")))
        .single();
  }

  private static NewRun newRun(String parentId, Parent parent, ChildStart start) {
    var header = start.header();
    var origin =
        new RunOrigin(
            header.graph(),
            header.version(),
            parent.priority(),
            null,
            header.ordinal(),
            parentId,
            parent.checkpoint(),
            parent.caller());
    var request = new RunInputEntity(header, Canonical.bytes(start.input()), null);
    request.limits(start.limits());
    request.tellsNobody(); // its parent tells
    return new NewRun(
        header, origin, start.input(), request, start.first(), Optional.empty(), Optional.empty());
  }

  private void insert(List<Child> children) {
    try {
      var here = children.stream().filter(it -> it.localRun() != null).toList();
      var owners = here.stream().map(it -> owner(it)).distinct().toList();
      owners.forEach(owner ->
          insertOwned(owner, here.stream().filter(it -> owner(it).equals(owner)).toList()));
      queue(children.stream().filter(it -> it.localRun() == null).toList());
    } catch (RuntimeException e) {
      children.forEach(this::release); // those that have begun are released again: no harm
      throw e;
    }
  }

  private static String owner(Child child) {
    return child.localRun() == null ? "" : child.localRun().owner();
  }

  private void release(Child child) {
    if (child.localRun() != null) {
      localRunStarter.release(child.localRun());
    }
  }

  private void insertOwned(String owner, List<Child> children) {
    statement.executeWithParent(Optional.of(owner), newRuns(children));
    var refused = new ArrayList<Child>();
    for (var child : children) {
      var newRun = child.newRun();
      var inserted = newRun.inserted();
      var localRun = child.localRun();
      if (inserted.isPresent() && localRun != null) {
        localRunStarter.begin(localRun, () -> newRun.claim(inserted.get(), graphs));
      } else {
        release(child);
        refused.add(new Child(newRun, null));
      }
    }
    queue(refused); // this process is no member of the cluster any more
  }

  private static List<NewRun> newRuns(List<Child> children) {
    return children.stream().map(Child::newRun).toList();
  }

  private void queue(List<Child> children) {
    if (children.isEmpty()) {
      return;
    }
    var newRuns = newRuns(children);
    statement.executeWithParent(Optional.empty(), newRuns);
    var now = clock.instant();
    wakeUps.schedule(
        newRuns.stream()
            .map(it ->
                new Wake(it.id(), InsertRunsStatement.FIRST_WAKE, now, it.origin().priority()))
            .toList());
  }

  private void link(String run, Parent parent, List<TaskRecord> records) {
    entities.insert(
        records.stream()
            .map(it -> new ChildRunEntity(run, parent.root(), parent.depth() + 1, it))
            .toList());
  }
}
