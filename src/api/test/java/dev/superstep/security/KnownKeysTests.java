package dev.superstep.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.superstep.security.StoredKeys.KnownKeys;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessResourceFailureException;

class KnownKeysTests {
  private final Map<String, KeyRows.KeyRow> rows = new HashMap<>();
  private long nanos;
  private int readings;
  private boolean away;
  private final KnownKeys keys =
      new KnownKeys(
          () -> {
            readings++;
            if (away) {
              throw new DataAccessResourceFailureException("away");
            }
            return rows;
          },
          () -> nanos);

  private void store(String id) {
    var key =
        new StoredKey(
            dev.superstep.tenant.Tenant.DEFAULT,
            id,
            id,
            new Grant(Set.of(), Set.of(ApiScope.READ)),
            Instant.EPOCH,
            "",
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    rows.put(id, new KeyRows.KeyRow(key, new byte[32], Optional.empty()));
  }

  private Optional<KeyRows.KeyRow> find(String id) {
    return keys.find(id, _ -> true);
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
  }

  @Test
  void costOneQueryASecondWhateverStrangersSend() {
    for (int i = 0; i < 1_000; i++) {
      assertThat(find("invented" + i)).isEmpty();
    }
    assertThat(readings).isEqualTo(1);
    pass(Duration.ofSeconds(1));
    find("another");
    find("one more");
    assertThat(readings).isEqualTo(2);
  }

  @Test
  void noticeAKeyOfAnotherReplicaWithinASecond() {
    find("later");
    store("later");
    assertThat(find("later")).isEmpty();
    pass(Duration.ofSeconds(1));
    assertThat(find("later")).isPresent();
  }

  @Test
  void noticeWithinTwoSecondsThatAnotherReplicaHasRevokedAKey() {
    store("key");
    assertThat(find("key")).isPresent();
    rows.clear();
    pass(Duration.ofMillis(1_999));
    assertThat(find("key")).isPresent();
    pass(Duration.ofMillis(1));
    assertThat(find("key")).isEmpty();
  }

  @Test
  void noticeWithinASecondThatAnotherReplicaHasRotatedAKey() {
    store("key");
    find("key");
    pass(Duration.ofMillis(999));
    var before = readings;
    var row = keys.find("key", _ -> false);
    assertThat(row).isPresent();
    assertThat(readings).isEqualTo(before);
    pass(Duration.ofMillis(1));
    keys.find("key", _ -> false);
    keys.find("key", _ -> false);
    assertThat(readings).isEqualTo(before + 1);
  }

  @Test
  void noticeAtOnceWhatThisReplicaDoes() {
    store("key");
    find("key");
    rows.clear();
    keys.forget();
    assertThat(find("key")).isEmpty();
  }

  @Test
  void sayForASecondThatTheyCannotBeRead() {
    away = true;
    for (int i = 0; i < 10; i++) {
      assertThatExceptionOfType(DataAccessResourceFailureException.class)
          .isThrownBy(() -> find("key"));
    }
    assertThat(readings).isEqualTo(1);
    away = false;
    store("key");
    pass(Duration.ofSeconds(1));
    assertThat(find("key")).isPresent();
  }
}
