package dev.superstep.langgraph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.problem.InvalidSettingException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LangGraphSettingsTests {

  @Test
  void takesPathsOfSeveralSegments() {
    assertThat(new LangGraphSettings(true, "/agents/langgraph").path())
        .isEqualTo("/agents/langgraph");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "/", "langgraph", "/langgraph/", "/Lang", "/a//b", "/..", "/v1/x", "/threads"})
  void refusesPathsThatTheServiceCannotGiveAway(String path) {
    assertThatThrownBy(() -> new LangGraphSettings(true, path))
        .isInstanceOf(InvalidSettingException.class)
        .hasMessageContaining("superstep.langgraph.path");
  }
}
