package dev.superstep.memory;

import dev.superstep.compute.StoredValues;
import dev.superstep.state.value.ObjectValue;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import java.time.Instant;
import org.hibernate.annotations.Immutable;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;

/// An item. Written by statements, which entities in memory do not see.
@Entity
@Immutable
@Table(name = "memory_item")
class MemoryItemEntity {
  @EmbeddedId private ItemKey key;

  /// Canonical JSON.
  private String value;

  private Instant createdAt;
  private Instant updatedAt;
  @Nullable Long ttlMs; // statements use it
  @Nullable Instant expiresAt; // statements use it

  @NullUnmarked
  protected MemoryItemEntity() {}

  @Embeddable
  record ItemKey(String namespace, String key) {}

  MemoryItem item() {
    var stored = ObjectValue.orEmpty(StoredValues.read(value));
    return new MemoryItem(
        Namespace.stored(key.namespace()), key.key(), stored, createdAt, updatedAt);
  }
}
