package dev.superstep.checkpoint.row;

import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;

/// A part of a wide superstep. [SliceRows] and [SliceStatement] change it.
@Entity
@Table(name = "slice")
class SliceEntity {
  @SuppressWarnings("UnusedVariable") // for queries
  @EmbeddedId
  private SliceKey key;

  @Column private int claim;
  @Column private @Nullable String owner;
  @Column private boolean closed;
  @Column private int[] tasks;

  @Embeddable
  record SliceKey(String run, int superstep, long leaseEpoch, int number) {}

  @NullUnmarked
  protected SliceEntity() {} // for Hibernate

  private SliceEntity(SliceKey key, int[] tasks) {
    this.key = key;
    this.tasks = tasks;
  }

  /// @param slices indexes of tasks
  static List<SliceEntity> of(WideSuperstep wide, List<List<Integer>> slices) {
    return IntStream.range(0, slices.size())
        .mapToObj(i ->
            new SliceEntity(
                new SliceKey(wide.run(), wide.superstep(), wide.lease().epoch(), i),
                slices.get(i).stream().mapToInt(Integer::intValue).toArray()))
        .toList();
  }
}
