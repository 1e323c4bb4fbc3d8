package dev.superstep.run.store;

import dev.superstep.engine.run.TaskKey;
import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import java.time.Instant;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;

/// A failed task that a person declared done (E34).
@Entity
@Table(name = "resolution")
public class ResolutionEntity {

  /// @param task `node` or `node:dispatch`
  @Embeddable
  public record ResolutionKey(String run, int superstep, String task) {
    public static ResolutionKey of(String run, TaskKey task) {
      var name =
          task.dispatchId() == null
              ? task.node().value()
              : task.node().value() + ":" + task.dispatchId();
      return new ResolutionKey(run, task.superstep(), name);
    }
  }

  @EmbeddedId private ResolutionKey key;

  @Column private String node;
  @Column private @Nullable String dispatchId;

  @Column(name = "change")
  private byte[] change;

  @Column private Instant createdAt;

  @NullUnmarked
  protected ResolutionEntity() {}

  public ResolutionEntity(String run, TaskKey task, byte[] change, Instant createdAt) {
    this.key = ResolutionKey.of(run, task);
    this.node = task.node().value();
    this.dispatchId = task.dispatchId();
    this.change = change.clone();
    this.createdAt = createdAt;
  }

  public void replace(byte[] other, Instant at) {
    change = other.clone();
    createdAt = at;
  }

  ResolutionKey key() {
    return key;
  }
}
