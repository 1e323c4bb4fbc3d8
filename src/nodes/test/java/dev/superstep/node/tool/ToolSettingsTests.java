package dev.superstep.node.tool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;

class ToolSettingsTests {

  /// Readers without Spring Boot have the same.
  @Test
  void isWhatAServerHasOnWhichNothingIsSet() {
    assertThat(ToolSettings.UNSET)
        .isEqualTo(new Binder(List.of()).bindOrCreate("superstep.tools", ToolSettings.class));
  }
}
