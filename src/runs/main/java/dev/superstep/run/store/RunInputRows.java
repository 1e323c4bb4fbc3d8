package dev.superstep.run.store;

import java.util.Optional;
import org.springframework.data.repository.Repository;

/// Reads the requests of runs.
interface RunInputRows extends Repository<RunInputEntity, String> {
  Optional<RunInputEntity> findById(String run);
}
