package dev.superstep.pace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.model.ModelLimits;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The queue of a model, before providers that count every request, on one clock.
class CallQueueTests {
  private static final long MINUTE = 60_000;
  private static final ModelLimits SIXTY =
      new ModelLimits(Optional.of(60), Optional.of(100_000L), Optional.empty());

  private static ModelLimits requests(int perMinute) {
    return new ModelLimits(Optional.of(perMinute), Optional.empty(), Optional.empty());
  }

  private static ModelLimits atATime(int max) {
    return new ModelLimits(Optional.empty(), Optional.empty(), Optional.of(max));
  }

  /// However late each request is, neither any sixty seconds nor a bucket has more than is allowed,
  /// and the allowance is used.
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void usesTheAllowanceAndNoMore(long seed) {
    var world = new PacedWorld(SIXTY, seed);
    world.run("a", 2_500, 1_200);
    world.run("b", 2_500, 1_200);

    world.until(10 * MINUTE);

    assertThat(world.inAnyMinute()).isLessThanOrEqualTo(60);
    assertThat(world.tokensInAnyMinute()).isLessThanOrEqualTo(100_000);
    assertThat(world.overdrafts()).isZero();
    assertThat(world.between(MINUTE, 10 * MINUTE)).isGreaterThanOrEqualTo((int) (9 * 60 * 0.95));
  }

  /// Where tokens are what is short: what was taken and not used is given back.
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void givesBackTheTokensThatACallHasNotUsed(long seed) {
    var limits = new ModelLimits(Optional.empty(), Optional.of(100_000L), Optional.empty());
    var world = new PacedWorld(limits, seed);
    world.run("a", 5_000, 1_500);

    world.until(10 * MINUTE);

    assertThat(world.tokensInAnyMinute()).isLessThanOrEqualTo(100_000);
    assertThat(world.tokensBetween(MINUTE, 10 * MINUTE)).isGreaterThan((long) (9 * 100_000 * 0.9));
  }

  /// Half of those that wait vanish: their places delay nobody for longer than a lease.
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void passesOverThoseThatDoNotCome(long seed) {
    var world = new PacedWorld(SIXTY, seed);
    for (int i = 0; i < 8; i++) {
      world.run("kept" + i, 500, 1_200);
      world.run("lost" + i, 500, 1_200);
    }
    world.until(5 * MINUTE);

    world.kill("lost");
    world.until(10 * MINUTE);

    assertThat(world.between(5 * MINUTE, 10 * MINUTE))
        .isGreaterThanOrEqualTo(5 * 60 * 95 / 100 - 6);
    assertThat(world.longestPause(5 * MINUTE, 10 * MINUTE)).isLessThan(6_000 + 62_000);
    assertThat(world.inAnyMinute()).isLessThanOrEqualTo(60);
  }

  @Test
  void letsTenantsTakeTurns() {
    var world = new PacedWorld(requests(60), 1);
    for (int i = 0; i < 40; i++) {
      world.run("acme/r" + i, 16, 100);
    }
    world.until(2 * MINUTE);

    world.run("bravo/r", 1, 100);
    world.until(6 * MINUTE);

    assertThat(world.waitOf("bravo/r")).isLessThan(3 * MINUTE / 2);
  }

  @Test
  void letsRunsTakeTurns() {
    var world = new PacedWorld(requests(120), 1);
    world.run("wide", 5_000, 100);
    world.until(3 * MINUTE);

    world.run("narrow", 1, 100);
    world.until(6 * MINUTE);

    assertThat(world.waitOf("narrow")).isLessThan(3 * MINUTE / 2);
  }

  /// The provider asks to be left alone, and all calls do so.
  @Test
  void leavesTheProviderAlone() {
    var world = new PacedWorld(requests(600), 1);
    world.run("a", 5_000, 100);
    world.until(2 * MINUTE);

    world.pauseFor(30_000);
    world.until(4 * MINUTE);

    assertThat(world.between(2 * MINUTE + 2_000, 2 * MINUTE + 30_000)).isZero();
    assertThat(world.between(2 * MINUTE + 30_000, 2 * MINUTE + 40_000)).isPositive();
  }

  @Test
  void keepsCallsAtATime() {
    var world = new PacedWorld(atATime(4), 1);
    world.run("a", 1_000, 100);
    world.run("b", 1_000, 100);

    world.until(3 * MINUTE);

    assertThat(world.mostAtATime()).isEqualTo(4);
    assertThat(world.busy(MINUTE, 3 * MINUTE)).isGreaterThan(2.8);
  }

  @Test
  void letsGoAtOnceWhereThereIsRoom() {
    var world = new PacedWorld(SIXTY, 1);
    world.run("a", 7, 1_000);

    world.until(2_000);

    assertThat(world.between(0, 2_000)).isEqualTo(7);
  }

  /// Whoever may make sixty calls a minute does not make them in its first second.
  @Test
  void spreadsCallsOverTheMinute() {
    var world = new PacedWorld(requests(600), 1);
    world.run("a", 5_000, 1_000);

    world.until(3 * MINUTE);

    for (long at = 0; at < 3 * MINUTE; at += 10_000) {
      assertThat(world.between(at, at + 10_000)).isBetween(60, 140);
    }
  }

  /// One that takes more than a minute's tokens goes when nothing else does.
  @Test
  void letsALargeCallGo() {
    var world = new PacedWorld(SIXTY, 1);
    world.run("small", 30, 1_000);
    world.run("large", 1, 500_000);

    world.until(5 * MINUTE);

    assertThat(world.waitOf("large")).isLessThan(3 * MINUTE);
  }

  @Test
  void keepsWhatWasUsedAsText() {
    var used = new UsedAllowance();
    used.add(1_000_100, new UsedAllowance.Amount(2, 30), 1_000_000);
    used.add(1_000_900, new UsedAllowance.Amount(1, -5), 1_000_000);

    var read = UsedAllowance.read(used.write());

    assertThat(read.sum()).isEqualTo(new UsedAllowance.Amount(3, 25));
    read.forgetUntil(1_000_000 + UsedAllowance.PERIOD);
    assertThat(read.sum()).isEqualTo(new UsedAllowance.Amount(1, -5));
    assertThat(UsedAllowance.read("").write()).isEmpty();
  }
}
