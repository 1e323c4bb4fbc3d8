package dev.superstep.engine.run;

import dev.superstep.tenant.Tenant;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// What the ids of a run's children and questions and the idempotency keys of its calls derive from
/// (E35, E40, E41). It is random and made with the run, in its row; it is never copied, chosen or
/// shown. So nobody else can compute those ids, and a run whose id was in use before has others. It
/// cannot be read: only what derives from it can.
public final class BirthId {
  private static final int BYTES = 16;

  private final String run;
  private final @Nullable String random;

  private BirthId(String run, @Nullable String random) {
    this.run = run;
    this.random = random;
  }

  /// @param stored null: the run has none, and its ids derive from its own id as those of releases
  ///   before do
  public static BirthId of(String run, @Nullable UUID stored) {
    return new BirthId(run, stored == null ? null : stored.toString());
  }

  /// Of a run that is in no database.
  public static BirthId ofRun(String run) {
    return new BirthId(run, null);
  }

  private String origin() {
    return random == null ? run : random;
  }

  /// The id of the `ordinal`-th question of a task (E35).
  public String interrupt(TaskKey task, int ordinal) {
    return interrupt(origin(), task, ordinal);
  }

  private static String interrupt(String origin, TaskKey task, int ordinal) {
    return Ids.hash(BYTES, "interrupt", origin, task, ordinal);
  }

  /// Whether that question is one of this run. A release that does not know birth ids may have
  /// driven it for a while.
  public boolean hasAsked(String id, TaskKey task, int ordinal) {
    return id.equals(interrupt(task, ordinal)) || id.equals(interrupt(run, task, ordinal));
  }

  /// The idempotency key of a task's calls (E40).
  ///
  /// @param generation grows with every answer to the task and every state edit under it
  /// @param era history of the database in which the superstep before was committed: in another one
  ///   this task may be called with something else
  public String idempotencyKey(TaskKey task, int generation, int era) {
    return era == 1
        ? Ids.hash(BYTES, "task", origin(), task, generation)
        : Ids.hash(BYTES, "task", origin(), task, generation, era);
  }

  /// The idempotency key of one of several effects of a task.
  public String part(TaskKey task, String name, int era) {
    return era == 1
        ? Ids.hash(BYTES, "part", origin(), task, name)
        : Ids.hash(BYTES, "part", origin(), task, name, era);
  }

  /// What the UUIDs of a task derive from: the same whenever it is run again.
  public String uuid(TaskKey task) {
    return Ids.hash(BYTES, "uuid", origin(), task);
  }

  /// The id of the `number`-th run that a task begins (E41).
  public String child(TaskKey task, int number) {
    return child(origin(), task, number);
  }

  /// Whose the run is, its children are.
  private String child(String origin, TaskKey task, int number) {
    return Tenant.of(run).own(Ids.hash(BYTES, "child", origin, task, number));
  }

  /// Whether a task of this run has begun that one, whichever release drove it then.
  public boolean hasBegun(String id, TaskKey task, int number) {
    return id.equals(child(task, number)) || id.equals(child(run, task, number));
  }

  /// The id under which a task is queued for workers for the `number`-th time (E52).
  public String queued(TaskKey task, int number) {
    return Tenant.of(run).own(Ids.hash(BYTES, "worker", origin(), task, number));
  }

  /// Whether a task of this run was queued under that id.
  public boolean hasQueued(String id, TaskKey task, int number) {
    return id.equals(queued(task, number));
  }

  /// The id of the `number`-th callback of a task (E51).
  public String callback(TaskKey task, int number) {
    return Tenant.of(run).own(Ids.hash(BYTES, "callback", origin(), task, number));
  }

  /// What whoever answers that callback must know besides its id.
  ///
  /// @param era as of [#idempotencyKey]
  public String callbackSecret(TaskKey task, int number, int era) {
    return Ids.hash(BYTES, "callback-secret", origin(), task, number, era);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof BirthId it && run.equals(it.run) && Objects.equals(random, it.random);
  }

  @Override
  public int hashCode() {
    return run.hashCode();
  }

  /// Without the id: what is printed ends in logs.
  @Override
  public String toString() {
    return "birth id of run " + run;
  }
}
