package dev.superstep.run.store;

import dev.superstep.engine.checkpoint.ChildRef;
import dev.superstep.engine.checkpoint.ChildStart;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.checkpoint.TaskRecord.TaskStatus;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.NodeId;
import dev.superstep.run.store.ChildLinks.Link;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;

/// A run that a task of another run has begun and waits for (E41). What is not private is read by
/// queries only.
@Entity
@Table(name = "child_run")
public class ChildRunEntity {
  @Id private String child;
  private String parent;
  String root;
  int depth;
  private int superstep;
  private String node;
  private @Nullable String dispatchId;
  int number;
  private int wakesBelow;
  long toldSeq;
  boolean settled;
  boolean givenUp;

  @NullUnmarked
  protected ChildRunEntity() {} // for Hibernate

  /// @param root the outermost of its parents
  /// @param depth 1: the child of a run that has no parent
  /// @param record of the task, which has begun a run
  public ChildRunEntity(String parent, String root, int depth, TaskRecord record) {
    var ref = ChildRef.of(record).orElseThrow();
    this.child = ref.run();
    this.parent = parent;
    this.root = root;
    this.depth = depth;
    this.superstep = record.key().superstep();
    this.node = record.key().node().value();
    this.dispatchId = record.key().dispatchId();
    this.number = ref.number();
    this.wakesBelow = wakesBelow(record);
  }

  private static int wakesBelow(TaskRecord record) {
    return record.status() instanceof TaskStatus.Child(_, var start)
        ? start.map(ChildStart::wakesBelow).orElse(0)
        : 0;
  }

  Link link() {
    return new Link(
        child, parent, new TaskKey(superstep, new NodeId(node), dispatchId), wakesBelow);
  }
}
