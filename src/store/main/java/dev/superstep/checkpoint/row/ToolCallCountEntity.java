package dev.superstep.checkpoint.row;

import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import org.jspecify.annotations.NullUnmarked;

/// How often a run and its descendants have called a tool. Only the statement of [StoredCallCounts]
/// uses it.
@Entity
@NullUnmarked
@Table(name = "tool_call_count")
class ToolCallCountEntity {
  @EmbeddedId CallCountKey key;
  int calls;

  @Embeddable
  record CallCountKey(String run, String tool) {}
}
