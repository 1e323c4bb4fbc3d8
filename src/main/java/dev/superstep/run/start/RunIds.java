package dev.superstep.run.start;

import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.impl.TimeBasedEpochGenerator;
import org.springframework.stereotype.Component;

/// Generates ids of runs whose client gave none: UUIDv7, so that they sort by time and fill index
/// pages in order.
@Component
class RunIds {
  private final TimeBasedEpochGenerator uuids = Generators.timeBasedEpochGenerator();

  String next() {
    return uuids.generate().toString();
  }
}
