package dev.superstep.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.database.TestDatabase;
import dev.superstep.problem.ServiceException;
import java.security.Principal;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.mock.web.MockHttpServletRequest;

/// I11: as many effects as there are keys. The database is real; an effect is a row.
@SpringBootTest(
    classes = IdempotencyTests.Slice.class,
    webEnvironment = WebEnvironment.NONE,
    properties = {
      "spring.main.web-application-type=none",
      // A slice without runs has no replica to ask for its health.
      "management.endpoint.health.validate-group-membership=false"
    })
@Import(TestDatabase.class)
class IdempotencyTests {
  @Autowired private Idempotency idempotency;
  @Autowired private JdbcClient jdbc;

  @BeforeEach
  void cleans() {
    jdbc.sql("create table if not exists effect (id int)").update();
    jdbc.sql("truncate effect, idempotency_key").update();
  }

  @Test
  void takesEffectOnce() {
    var first = idempotency.once(key("k", "body"), effect(1));
    var second = idempotency.once(key("k", "body"), effect(2));

    assertThat(first).isEqualTo(new StoredAnswer(202, "1", false));
    assertThat(second).isEqualTo(new StoredAnswer(202, "1", true));
    assertThat(effects()).isEqualTo(1);
  }

  @Test
  void takesEffectEveryTimeWithoutAKey() {
    idempotency.once(key(null, "body"), effect(1));
    idempotency.once(key(null, "body"), effect(2));

    assertThat(effects()).isEqualTo(2);
  }

  @Test
  void refusesAKeyThatCameWithAnotherBody() {
    idempotency.once(key("k", "body"), effect(1));

    assertThatThrownBy(() -> idempotency.once(key("k", "other"), effect(2)))
        .isInstanceOfSatisfying(
            ServiceException.class,
            it -> assertThat(it.code().code()).isEqualTo("idempotency_key_reused"));
    assertThat(effects()).isEqualTo(1);
  }

  @Test
  void keepsTheKeysOfCallersAndPathsApart() {
    idempotency.once(key("k", "body"), effect(1));
    var elsewhere = request("k", "body");
    elsewhere.setRequestURI("/v1/other");
    idempotency.once(IdempotencyKey.of(elsewhere), effect(2));
    var somebody = request("k", "body");
    somebody.setUserPrincipal((Principal) () -> "somebody else");
    idempotency.once(IdempotencyKey.of(somebody), effect(3));

    assertThat(effects()).isEqualTo(3);
  }

  @Test
  void keepsNothingOfACallThatFailed() {
    assertThatThrownBy(() ->
            idempotency.once(
                key("k", "body"),
                () -> {
                  var _ = effect(1).get();
                  throw new IllegalStateException("after the effect");
                }))
        .isInstanceOf(IllegalStateException.class);
    assertThat(effects()).isZero();

    assertThat(idempotency.once(key("k", "another body"), effect(2)).replayed()).isFalse();
  }

  @Test
  void refusesASecondCallWhileTheFirstRuns() throws Exception {
    var inside = new CountDownLatch(1);
    var over = new CountDownLatch(1);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var first =
          threads.submit(() ->
              idempotency.once(
                  key("k", "body"),
                  () -> {
                    inside.countDown();
                    await(over);
                    return effect(1).get();
                  }));
      inside.await();

      assertThatThrownBy(() -> idempotency.once(key("k", "body"), effect(2)))
          .isInstanceOfSatisfying(
              ServiceException.class,
              it -> assertThat(it.code().code()).isEqualTo("idempotency_in_progress"));
      over.countDown();

      assertThat(first.get().replayed()).isFalse();
      assertThat(idempotency.once(key("k", "body"), effect(3)).replayed()).isTrue();
      assertThat(effects()).isEqualTo(1);
    }
  }

  @Test
  void forgetsAKeyAfterADay() {
    idempotency.once(key("k", "body"), effect(1));
    assertThat(hoursKept()).isEqualTo(24);
    jdbc.sql("update idempotency_key set expires_at = now() - interval '1 second'").update();

    assertThat(idempotency.once(key("k", "other"), effect(2)).replayed()).isFalse();
    assertThat(effects()).isEqualTo(2);
  }

  @Test
  void removesKeysThatHaveExpired() {
    idempotency.once(key("old", "body"), effect(1));
    jdbc.sql("update idempotency_key set expires_at = now() - interval '1 second'").update();
    idempotency.once(key("new", "body"), effect(2));

    assertThat(jdbc.sql("select count(*) from idempotency_key").query(Integer.class).single())
        .isEqualTo(1);
  }

  private int hoursKept() {
    return jdbc.sql(
            """
            select round(extract(epoch from expires_at - now()) / 3600)::int from idempotency_key
            """)
        .query(Integer.class)
        .single();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private Supplier<StoredAnswer> effect(int id) {
    return () -> {
      jdbc.sql("insert into effect values (:id)").param("id", id).update();
      return new StoredAnswer(202, String.valueOf(id));
    };
  }

  private int effects() {
    return jdbc.sql("select count(*) from effect").query(Integer.class).single();
  }

  private static IdempotencyKey key(@org.jspecify.annotations.Nullable String key, String body) {
    return IdempotencyKey.of(request(key, body));
  }

  private static MockHttpServletRequest request(
      @org.jspecify.annotations.Nullable String key, String body) {
    var request = new MockHttpServletRequest("POST", "/v1/runs");
    request.setAttribute(
        "dev.superstep.http.RequestBytes", body.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    if (key != null) {
      request.addHeader(IdempotencyKey.HEADER, key);
    }
    return request;
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @EntityScan("dev.superstep.idempotency")
  @Import({Idempotency.class, IdempotencyRows.class})
  static class Slice {}
}
