package dev.superstep.definition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;

class DefinitionLimitsTests {

  /// Readers without Spring Boot have the same.
  @Test
  void isWhatAServerHasOnWhichNothingIsSet() {
    assertThat(DefinitionLimits.UNSET)
        .isEqualTo(
            new Binder(List.of()).bindOrCreate("superstep.definitions", DefinitionLimits.class));
  }
}
