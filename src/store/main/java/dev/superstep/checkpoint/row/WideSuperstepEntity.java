package dev.superstep.checkpoint.row;

import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import java.time.Instant;
import org.jspecify.annotations.NullUnmarked;

/// The barrier of a wide superstep. [SliceRows] and [SliceStatement] count its slices.
@Entity
@Table(name = "wide_superstep")
class WideSuperstepEntity {
  @SuppressWarnings("UnusedVariable") // for queries
  @EmbeddedId
  private WideSuperstepKey key;

  @Column private int checkpoint;
  @Column private int open;
  @Column private int taken;
  @Column private int lanes;
  @Column private int quota;
  @Column private Instant cutAt;

  @Embeddable
  record WideSuperstepKey(String run, int superstep, long leaseEpoch) {}

  @NullUnmarked
  protected WideSuperstepEntity() {} // for Hibernate

  WideSuperstepEntity(WideSuperstep wide, WideSupersteps.Cut cut, Instant at) {
    this.key = new WideSuperstepKey(wide.run(), wide.superstep(), wide.lease().epoch());
    this.checkpoint = cut.checkpoint();
    this.open = cut.slices().size();
    this.lanes = cut.lanes();
    this.quota = cut.quota();
    this.cutAt = at;
  }
}
