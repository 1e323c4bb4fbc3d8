package dev.superstep.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.schedule.ScheduledRows;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalManagementPort;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Virtual threads that compute and never wait leave no carrier to others.
@ApiTest
class BusyCarriersApiTests {
  private static final Duration READY_MAX = Duration.ofSeconds(5);
  private static final int TRIES = 3;
  private static final Duration SOON = Duration.ofSeconds(10);
  private final HttpClient http = HttpClient.newHttpClient();
  @LocalManagementPort private int management;
  @Autowired private JdbcClient jdbc;

  @Test
  void answersProbesAndKeepsItsHeartbeatWhileAllCarriersAreBusy() throws Exception {
    assertThat(probe("liveness")).isEqualTo(200);
    try (var _ = new BusyCarriers()) {
      String before = lastBeats();
      assertThat(probe("liveness")).isEqualTo(200);
      assertThat(probe("readiness")).isEqualTo(200);
      long deadline = System.nanoTime() + SOON.toNanos();
      while (lastBeats().equals(before) && System.nanoTime() < deadline) {
        Thread.onSpinWait();
      }
      assertThat(lastBeats()).isNotEqualTo(before);
    }
  }

  /// Each request has a thread of its own, which does not begin. The probes have what the carriers
  /// and other processes leave them: once in a few times it must have been enough.
  @Test
  void isNotReadyWithinFiveSecondsWhileNoThreadOfTheApiGetsToWork() throws Exception {
    var ready = readyWhileBusy();
    for (int i = 1; i < TRIES && ready.compareTo(READY_MAX) >= 0; i++) {
      ready = readyWhileBusy();
    }
    assertThat(ready).isLessThan(READY_MAX);
  }

  private Duration readyWhileBusy() throws Exception {
    await().until(() -> probe("readiness") == 200);
    try (var busy = new BusyCarriers()) {
      long ready = busy.since;
      for (long sent = ready; probe("readiness") == 200; sent = System.nanoTime()) {
        ready = sent;
      }
      assertThat(probe("readiness")).isEqualTo(503);
      assertThat(probe("liveness")).isEqualTo(200);
      return Duration.ofNanos(ready - busy.since);
    } finally {
      await().until(() -> probe("readiness") == 200);
    }
  }

  /// Virtual threads that have all carriers, until they are closed.
  private static final class BusyCarriers implements AutoCloseable {
    private final AtomicBoolean over = new AtomicBoolean();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final long since;

    BusyCarriers() throws InterruptedException {
      int carriers = Runtime.getRuntime().availableProcessors();
      var busy = new CountDownLatch(carriers);
      for (int i = 0; i < carriers; i++) {
        threads.execute(() -> {
          busy.countDown();
          while (!over.get()) {
            Thread.onSpinWait();
          }
        });
      }
      busy.await();
      since = System.nanoTime();
    }

    @Override
    public void close() {
      over.set(true);
      threads.close();
    }
  }

  private String lastBeats() {
    return new ScheduledRows(jdbc).lastHeartbeat();
  }

  private int probe(String group) throws Exception {
    var uri = URI.create("http://127.0.0.1:" + management + "/actuator/health/" + group);
    var request = HttpRequest.newBuilder(uri).timeout(SOON).build();
    return http.send(request, BodyHandlers.discarding()).statusCode();
  }
}
