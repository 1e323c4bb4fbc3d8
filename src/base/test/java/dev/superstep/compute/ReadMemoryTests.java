package dev.superstep.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.state.value.Canonical;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.util.unit.DataSize;

@Timeout(30)
class ReadMemoryTests {
  private static final long MAX = 10L << 20;
  private static final long LARGE = RequestWork.LARGE_BYTES + 1;
  private static final long FIRST_BYTES = RequestWork.LARGE_BYTES / 2;
  private static final long PIECE_BYTES = 4L << 20;
  private static final int PIECES = 400;
  private final ReadMemory memory =
      new ReadMemory(new ComputeSettings(1, 1, Duration.ofSeconds(1), 100, DataSize.ofBytes(MAX)));

  private RequestWork request(String caller) {
    return new RequestWork(memory, () -> caller);
  }

  private static ErrorCode refusal(RequestWork request, long bytes) {
    try {
      request.hold(bytes);
      throw new AssertionError("it was not refused");
    } catch (ServiceException e) {
      return e.code();
    }
  }

  @Test
  void releasesWhatARequestHasTakenWhenItEnds() {
    try (var request = request("")) {
      request.hold(MAX / 2);
      request.hold(MAX / 4);
      assertThat(memory.free()).isEqualTo(MAX / 4 + RequestWork.FREE_BYTES);
      assertThat(refusal(request("other"), MAX / 2)).isEqualTo(ErrorCode.OVERLOADED);
    }
    assertThat(memory.free()).isEqualTo(MAX);
  }

  @Test
  void saysOfARequestThatNeverFitsThatTryingAgainDoesNotHelp() {
    try (var request = request("")) {
      request.hold(MAX);
      assertThatThrownBy(() -> request.hold(2 * RequestWork.FREE_BYTES))
          .isInstanceOfSatisfying(
              ServiceException.class,
              it -> assertThat(it.code()).isEqualTo(ErrorCode.LIMIT_EXCEEDED))
          .hasMessageContaining("trying again does not help");
    }
    try (var other = request("a");
        var request = request("b")) {
      other.hold(MAX / 2);
      assertThat(refusal(request, MAX)).isEqualTo(ErrorCode.OVERLOADED);
      assertThat(refusal(request, 2 * MAX)).isEqualTo(ErrorCode.LIMIT_EXCEEDED);
    }
  }

  @Test
  void leavesSmallRequestsAlone() {
    try (var large = request("");
        var small = request("")) {
      large.hold(MAX + RequestWork.FREE_BYTES);
      assertThat(memory.free()).isZero();
      small.hold(RequestWork.FREE_BYTES);
    }
  }

  @Test
  void releasesAPieceWhenItEnds() {
    try (var request = request("")) {
      request.hold(1L << 20);
      for (int i = 0; i < 100; i++) {
        try (var _ = request.piece()) {
          request.hold(MAX / 2);
        }
      }
      assertThat(memory.free()).isEqualTo(MAX - (1L << 20) + RequestWork.FREE_BYTES);
    }
    assertThat(memory.free()).isEqualTo(MAX);
  }

  @Test
  void givesOneCallerHalfOfItUnlessItsRequestIsAlone() {
    try (var first = request("a");
        var second = request("a");
        var other = request("b")) {
      first.hold(MAX / 2);
      assertThat(refusal(second, MAX / 4)).isEqualTo(ErrorCode.QUOTA_EXCEEDED);
      other.hold(MAX / 4);
      first.hold(MAX / 8);
    }
    try (var alone = request("a")) {
      alone.hold(MAX);
    }
    assertThat(memory.free()).isEqualTo(MAX);
  }

  @Test
  void waitsALittleForOthers() throws Exception {
    var first = request("");
    first.hold(MAX);
    var waits = new CountDownLatch(1);
    var releasing =
        Thread.ofPlatform()
            .start(() -> {
              waits.countDown();
              first.close();
            });
    try (var second = request("")) {
      assertThat(waits.await(10, TimeUnit.SECONDS)).isTrue();
      second.hold(MAX);
    }
    releasing.join();
    assertThat(memory.free()).isEqualTo(MAX);
  }

  /// One thread computes: one large read at a time.
  @Test
  void keepsNothingWhileItWaitsForItsTurn() throws Exception {
    var begun = new CountDownLatch(2);
    var ends = new CountDownLatch(1);
    try (var first = request("");
        var second = request("");
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var reads = new AtomicInteger();
      var one = threads.submit(() -> first.reading(() -> large(first, begun, ends)));
      await().until(() -> begun.getCount() == 1);
      var two =
          threads.submit(() ->
              second.reading(() -> {
                reads.incrementAndGet();
                second.hold(FIRST_BYTES);
                return large(second, begun, ends);
              }));
      await().until(() -> reads.get() == 1 && memory.turns().waiting() == 1);
      assertThat(memory.free()).isEqualTo(MAX - LARGE + RequestWork.FREE_BYTES);
      assertThat(begun.getCount()).isOne();
      ends.countDown();
      one.get();
      two.get();
      assertThat(reads).hasValue(2);
      assertThat(memory.free())
          .isEqualTo(MAX - 2 * LARGE - FIRST_BYTES + 2 * RequestWork.FREE_BYTES);
    }
    assertThat(memory.turns().tryTake()).isTrue();
  }

  private static Boolean large(RequestWork request, CountDownLatch begun, CountDownLatch ends)
      throws InterruptedException {
    request.hold(LARGE);
    begun.countDown();
    return ends.await(20, TimeUnit.SECONDS);
  }

  @Test
  void letsSmallReadsPass() {
    assertThat(memory.turns().tryTake()).isTrue();
    try (var small = request("")) {
      var reads = new AtomicInteger();
      small.reading(() -> {
        small.hold(FIRST_BYTES);
        return reads.incrementAndGet();
      });
      assertThat(reads).hasValue(1);
    }
  }

  @Test
  void boundsHowManyWaitForTheirTurn() throws Exception {
    assertThat(memory.turns().tryTake()).isTrue();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var codes = new ConcurrentLinkedQueue<ErrorCode>();
      Consumer<String> waits =
          caller ->
              threads.execute(() -> {
                try (var request = request(caller)) {
                  codes.add(refusal(request));
                }
              });
      Collections.nCopies(129, "a").forEach(waits);
      await().untilAsserted(() -> assertThat(codes).containsExactly(ErrorCode.QUOTA_EXCEEDED));
      Collections.nCopies(129, "").forEach(waits);
      await()
          .untilAsserted(() ->
              assertThat(codes).containsExactly(ErrorCode.QUOTA_EXCEEDED, ErrorCode.OVERLOADED));
      memory.turns().end();
    }
    assertThat(memory.turns().waiting()).isZero();
  }

  @Test
  void servesCallersThatWaitOneAfterTheOther() throws Exception {
    var turns = memory.turns();
    assertThat(turns.tryTake()).isTrue();
    var served = new ConcurrentLinkedQueue<String>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      int waiting = 0;
      for (var caller : List.of("a", "a", "a", "b")) {
        threads.execute(() -> {
          turns.await(caller);
          served.add(caller);
          turns.end();
        });
        int expected = ++waiting;
        await().until(() -> turns.waiting() == expected);
      }
      turns.end();
    }
    assertThat(served).containsExactly("a", "b", "a", "a");
    assertThat(turns.tryTake()).isTrue();
  }

  private static ErrorCode refusal(RequestWork request) {
    try {
      request.reading(() -> {
        request.hold(LARGE);
        return true;
      });
      return ErrorCode.INTERNAL_ERROR;
    } catch (ServiceException e) {
      return e.code();
    }
  }

  @Test
  void refusesARequestThatHasEnded() {
    var request = request("");
    request.close();
    assertThat(refusal(request, 1)).isEqualTo(ErrorCode.OVERLOADED);
    assertThat(memory.free()).isEqualTo(MAX);
  }

  /// The half million numbers of this list would need some 15 MB.
  @Test
  void weighsValuesBeforeTheyAreDecoded() {
    var utf8 = ("[" + "1,".repeat(500_000) + "1]").getBytes(StandardCharsets.UTF_8);
    try (var request = request("")) {
      assertThatThrownBy(() -> request.within(() -> StoredValues.read(utf8)))
          .isInstanceOf(ServiceException.class)
          .hasMessageContaining("superstep.compute.read-max");
      assertThat(Canonical.size(StoredValues.read(utf8))).isEqualTo(utf8.length);
    }
    try (var request = request("")) {
      assertThatThrownBy(() ->
              request.within(() ->
                  StoredValues.read(() -> {
                    return new ByteArrayInputStream(utf8);
                  })))
          .isInstanceOf(ServiceException.class);
    }
    assertThat(memory.free()).isEqualTo(MAX);
  }

  /// As histories are read: each piece gives its memory back, and what it has cost is counted.
  @Test
  void countsTheWorkOfAllPieces() {
    int pieces = 0;
    try (var request = request("")) {
      while (pieces < PIECES) {
        try (var _ = request.piece()) {
          request.decode(PIECE_BYTES);
        }
        pieces++;
      }
      throw new AssertionError("it was not refused");
    } catch (ServiceException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.LIMIT_EXCEEDED);
      assertThat(e).hasMessageContaining("steps that one request may cost");
    }
    assertThat(pieces).isEqualTo(RequestWork.STEPS_MAX / (PIECE_BYTES / 128));
  }

  /// An answer without an end costs no more than its newest piece.
  @Test
  void forgetsTheWorkOfPiecesThatHaveBeenSent() {
    try (var request = request("")) {
      var piece = request.piece();
      for (int i = 0; i < PIECES; i++) {
        request.decode(PIECE_BYTES);
        piece.next();
      }
    }
    assertThat(memory.free()).isEqualTo(MAX);
  }

  /// What was measured; a text of commas is none of many values.
  @Test
  void weighsWhatValuesNeed() {
    assertThat(weight("[" + "1,".repeat(1_000) + "1]")).isBetween(29_000L, 60_000L);
    assertThat(weight("[" + "[1],".repeat(1_000) + "1]")).isBetween(141_000L, 220_000L);
    assertThat(weight("[" + "\"abc\",".repeat(1_000) + "1]")).isBetween(70_000L, 150_000L);
    assertThat(weight("[" + "{\"a\":1},".repeat(1_000) + "1]")).isBetween(133_000L, 300_000L);
    assertThat(weight("[\"" + ",:[{\\\"".repeat(1_000) + "\"]")).isBetween(12_000L, 25_000L);
  }

  private static long weight(String json) {
    var weight = new StoredValues.Weight();
    var utf8 = json.getBytes(StandardCharsets.UTF_8);
    weight.add(utf8, utf8.length);
    return weight.bytes();
  }
}
