package dev.superstep.run.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.problem.InvalidSettingException;
import dev.superstep.tenant.Tenant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RunIdsTests {
  @ParameterizedTest
  @CsvSource({"0,7000", "7,7007", "4095,7fff"})
  void carryTheirCell(int cell, String group) {
    var id = new RunIds(new CellSettings(cell)).next(Tenant.DEFAULT);
    assertThat(id.substring(14, 18)).isEqualTo(group);
    assertThat(UUID.fromString(id).version()).isEqualTo(7);
    assertThat(UUID.fromString(id).variant()).isEqualTo(2);
  }

  @Test
  void areUniqueAndSortByTime() {
    var ids = new RunIds(new CellSettings(1));
    var made = new ArrayList<String>();
    for (int i = 0; i < 10_000; i++) {
      made.add(ids.next(Tenant.DEFAULT));
    }
    assertThat(new HashSet<>(made)).hasSize(made.size());
    assertThat(made).isSorted();
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 4096})
  void refuseCellsThatDoNotFit(int cell) {
    assertThatThrownBy(() -> new CellSettings(cell))
        .isInstanceOf(InvalidSettingException.class)
        .hasMessageContaining("superstep.cell");
  }
}
