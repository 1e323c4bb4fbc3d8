package dev.superstep.run.start;

import dev.superstep.problem.Setting;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// The cell that a replica belongs to: the replicas of one database.
///
/// @param cell its number, which the ids of its runs carry; unique among the cells behind one
///   address
@ConfigurationProperties("superstep")
record CellSettings(@DefaultValue("0") int cell) {
  static final int MAX = 4095;

  CellSettings {
    new Setting("superstep.cell").within(0, MAX, cell);
  }
}
