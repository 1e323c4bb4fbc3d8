package dev.superstep.memory;

import dev.superstep.problem.Setting;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/// Bounds of what is remembered.
///
/// @param itemsMax items of all callers together
/// @param valueMax canonical size of an item's value
/// @param answerMax size of the values that one search may find
@ConfigurationProperties("superstep.memory")
record MemorySettings(
    @DefaultValue("1000000") int itemsMax,
    @DefaultValue("1MB") DataSize valueMax,
    @DefaultValue("16MB") DataSize answerMax) {
  MemorySettings {
    new Setting("superstep.memory.items-max").within(0, 1_000_000_000, itemsMax);
    new Setting("superstep.memory.value-max").size(valueMax);
    new Setting("superstep.memory.answer-max").size(answerMax);
  }
}
