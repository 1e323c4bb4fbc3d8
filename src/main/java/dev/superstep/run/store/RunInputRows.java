package dev.superstep.run.store;

import java.util.Optional;
import org.springframework.data.repository.Repository;

interface RunInputRows extends Repository<RunInputEntity, String> {
  Optional<RunInputEntity> findById(String run);
}
