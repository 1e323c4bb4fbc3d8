package dev.superstep.definition.store;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import org.jspecify.annotations.NullUnmarked;

/// A name, and how far its versions go. Its row is locked while a version is added or the name is
/// hidden.
@Entity
@Table(name = "graph")
class GraphEntity {

  @Id private String name;

  @Column(nullable = false)
  private int newest;

  @Column(nullable = false)
  private int hiddenThrough;

  @Column(nullable = false)
  private Instant updatedAt;

  @NullUnmarked
  protected GraphEntity() {} // for Hibernate

  String name() {
    return name;
  }

  int newest() {
    return newest;
  }

  int hiddenThrough() {
    return hiddenThrough;
  }

  Instant updatedAt() {
    return updatedAt;
  }

  boolean isHidden() {
    return newest <= hiddenThrough;
  }

  boolean shows(int version) {
    return version > hiddenThrough && version <= newest;
  }

  /// The number of one more version.
  int next(Instant now) {
    updatedAt = now;
    newest++;
    return newest;
  }

  void hide() {
    hiddenThrough = newest;
  }
}
