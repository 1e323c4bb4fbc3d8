package dev.superstep.run.store;

import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ObjectValue;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import org.hibernate.annotations.DynamicUpdate;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;

/// A thread. Locked while a run is started in it.
@Entity
@DynamicUpdate
@Table(name = "thread")
public class ThreadEntity {
  @Id private String id;
  private long runs;

  @Column(updatable = false)
  Instant createdAt; // queries read it

  /// Canonical JSON; `{}` in the table before it is described.
  private String metadata;

  /// Whether it stays without runs.
  boolean kept; // queries read it

  @Column private @Nullable Instant describedAt;

  /// The caller who stores the metadata.
  @Nullable String describedBy; // queries read it

  /// The caller that made it.
  @Column(updatable = false)
  @Nullable String owner; // the insert names it

  @NullUnmarked
  protected ThreadEntity() {}

  String id() {
    return id;
  }

  public ObjectValue metadata() {
    return StoredJson.object(metadata);
  }

  /// Describes the thread, which stays from now on when its last run is erased.
  public void describe(ObjectValue described, Instant at, String caller) {
    metadata = Canonical.text(described);
    kept = true;
    describedAt = at;
    describedBy = caller;
  }

  /// The ordinal of one more run.
  public long takeOrdinal() {
    return runs++;
  }

  /// The ordinal of a run whose state comes from a run with the ordinal `other`, and above that:
  /// generated ids derive from ordinals, and must not repeat those in the state.
  public long takeOrdinalAbove(long other) {
    runs = Math.max(runs, other + 1);
    return runs++;
  }
}
