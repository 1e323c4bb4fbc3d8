package dev.superstep.run.start;

import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.impl.TimeBasedEpochGenerator;
import dev.superstep.tenant.Tenant;
import java.util.UUID;
import org.springframework.stereotype.Component;

/// Generates ids of runs whose client gave none: UUIDv7, so that they sort by time and fill index
/// pages in order. The twelve bits behind the version, which are random elsewhere, name the cell:
/// ids cannot be changed later, and what receives a call must know where the run is.
@Component
class RunIds {
  private static final long CELL = CellSettings.MAX;

  private final TimeBasedEpochGenerator uuids = Generators.timeBasedEpochGenerator();
  private final long cell;

  RunIds(CellSettings settings) {
    this.cell = settings.cell();
  }

  /// The id of a run or thread of this tenant.
  public String next(Tenant tenant) {
    var random = uuids.generate();
    var uuid =
        new UUID(
            (random.getMostSignificantBits() & ~CELL) | cell, random.getLeastSignificantBits());
    return tenant.own(uuid.toString());
  }
}
