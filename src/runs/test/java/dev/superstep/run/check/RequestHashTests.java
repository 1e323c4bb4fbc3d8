package dev.superstep.run.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.run.StartRun;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestHashTests {
  private static StartRun request(String name) {
    return new StartRun(
        "greeting",
        Optional.empty(),
        ObjectValue.of("name", Value.of(name)),
        Optional.empty(),
        Optional.of("run-1"),
        Optional.empty(),
        Map.of(),
        StartRun.Options.DEFAULT);
  }

  /// As a release has stored them for which `sync`, `async` and `exit` were different requests.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "ddb5409c6485877a0664837d70941231550c770ea6edce1224d3c863a4ee4fc6",
        "2b4f43b6e64cddf8789803fbebca88b475fa4307da7137c0e812b72de4ccb9ab",
        "d2aac13eaa2aa18e700a3824bb964ba7469c92148fb3b7ff32f3f275c42f07c8"
      })
  void matchesWhatEarlierReleasesHaveStored(String stored) {
    var hash = HexFormat.of().parseHex(stored);

    assertThat(RequestHash.matches(request("Ada"), hash)).isTrue();
    assertThat(RequestHash.matches(request("Bob"), hash)).isFalse();
  }
}
