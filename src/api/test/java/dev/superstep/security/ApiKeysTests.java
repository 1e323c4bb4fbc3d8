package dev.superstep.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ApiKeysTests {

  private final ApiKeys keys = new ApiKeys(List.of("first", "second"));

  @Test
  void acceptsEachOfItsKeysAndNoOther() {
    assertThat(keys.bearer("first")).isPresent();
    assertThat(keys.bearer("second")).isPresent();
    assertThat(keys.bearer("First")).isEmpty();
    assertThat(keys.bearer("first,second")).isEmpty();
    assertThat(keys.bearer("")).isEmpty();
  }

  @Test
  void namesTheBearerWithoutTheKey() {
    assertThat(keys.bearer("first")).hasValueSatisfying(name -> assertThat(name).hasSize(16));
    assertThat(keys.bearer("first")).isNotEqualTo(keys.bearer("second"));
  }
}
