package dev.superstep.run.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.engine.run.RunStatus;
import dev.superstep.problem.InvalidSettingException;
import dev.superstep.run.store.RetentionSettings.OfGraph;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RetentionPolicyTests {
  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration WEEK = Duration.ofDays(7);

  private static RetentionSettings settings(Map<String, OfGraph> graphs) {
    return new RetentionSettings(WEEK, null, DAY, null, DAY, 3, 50, graphs);
  }

  @Test
  void purgesNothingUnlessATimeIsSet() {
    var settings = new RetentionSettings(null, null, null, null, null, 1, 50, Map.of());

    assertThat(settings.enabled()).isFalse();
    var policy = settings.of("any");
    for (var status : RunStatus.values()) {
      assertThat(policy.keeps(status)).isEmpty();
      assertThat(policy.keepsHead(status)).isEmpty();
      assertThat(policy.keepsHistory(status)).isEmpty();
    }
  }

  @Test
  void takesFromAGraphWhatItSetsAndTheRestFromAll() {
    var own = new OfGraph(DAY, WEEK, null, null, null, 1);
    var settings = settings(Map.of("my-graph", own));

    var policy = settings.of("My_Graph");

    assertThat(policy.keeps(RunStatus.SUCCEEDED)).contains(DAY);
    assertThat(policy.keeps(RunStatus.FAILED)).contains(WEEK);
    assertThat(policy.keeps(RunStatus.CANCELLED)).contains(DAY);
    assertThat(policy.checkpoints()).isEqualTo(1);
    assertThat(settings.of("my-graph#inline")).isEqualTo(policy);
    assertThat(settings.of("other").keeps(RunStatus.SUCCEEDED)).contains(WEEK);
    assertThat(settings.of("other").checkpoints()).isEqualTo(3);
  }

  @Test
  void keepsActiveRunsForEver() {
    var policy = settings(Map.of()).of("any");

    for (var status : RunStatus.values()) {
      if (status.active()) {
        assertThat(policy.keeps(status)).as("%s", status).isEmpty();
        assertThat(policy.keepsHistory(status)).as("%s", status).isEmpty();
      }
    }
  }

  @Test
  void keepsTheHistoryOfARunThatCanBeResumed() {
    assertThat(settings(Map.of()).of("any").keepsHistory(RunStatus.FAILED)).isEmpty();
    assertThat(settings(Map.of()).of("any").keepsHistory(RunStatus.SUCCEEDED)).contains(DAY);
  }

  /// The longer of the two times.
  @Test
  void keepsAThreadUntilItsLastRunIsOverdueToo() {
    var ofRun = Optional.of(WEEK);
    var shorter = new RetentionPolicy(ofRun, ofRun, ofRun, Optional.of(DAY), Optional.empty(), 1);
    var ofDay = Optional.of(DAY);
    var longer = new RetentionPolicy(ofDay, ofDay, ofDay, ofRun, Optional.empty(), 1);

    assertThat(shorter.keepsHead(RunStatus.SUCCEEDED)).contains(WEEK);
    assertThat(longer.keepsHead(RunStatus.SUCCEEDED)).contains(WEEK);
  }

  @Test
  void namesTheSettingThatNothingCanWorkWith() {
    var never = new OfGraph(Duration.ZERO, null, null, null, null, null);
    assertThatThrownBy(() -> settings(Map.of("chat", never)))
        .isInstanceOf(InvalidSettingException.class)
        .hasMessageContaining("superstep.retention.graphs.chat.succeeded");
  }
}
