package dev.superstep.langgraph;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AssistantIdsTests {

  /// `uuid.uuid5(uuid.UUID("6ba7b821-9dad-11d1-80b4-00c04fd430c8"), "agent")` of Python.
  @Test
  void derivesTheIdsThatTheAgentServerHas() {
    assertThat(AssistantIds.ofGraph("agent")).isEqualTo("fe096781-5601-53d2-b2f6-0d3403f7e9ca");
  }
}
