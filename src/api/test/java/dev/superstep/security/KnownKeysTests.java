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
            id, id, Set.of(ApiScope.READ), Instant.EPOCH, "", Optional.empty(), Optional.empty());
    rows.put(id, new KeyRows.KeyRow(key, new byte[32]));
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
  }

  @Test
  void costOneQueryASecondWhateverStrangersSend() {
    for (int i = 0; i < 1_000; i++) {
      assertThat(keys.find("invented" + i)).isEmpty();
    }
    assertThat(readings).isEqualTo(1);
    pass(Duration.ofSeconds(1));
    keys.find("another");
    keys.find("one more");
    assertThat(readings).isEqualTo(2);
  }

  @Test
  void noticeAKeyOfAnotherReplicaWithinASecond() {
    keys.find("later");
    store("later");
    assertThat(keys.find("later")).isEmpty();
    pass(Duration.ofSeconds(1));
    assertThat(keys.find("later")).isPresent();
  }

  @Test
  void noticeWithinTenSecondsThatAnotherReplicaHasRevokedAKey() {
    store("key");
    assertThat(keys.find("key")).isPresent();
    rows.clear();
    pass(Duration.ofSeconds(9));
    assertThat(keys.find("key")).isPresent();
    pass(Duration.ofSeconds(1));
    assertThat(keys.find("key")).isEmpty();
  }

  @Test
  void noticeAtOnceWhatThisReplicaDoes() {
    store("key");
    keys.find("key");
    rows.clear();
    keys.forget();
    assertThat(keys.find("key")).isEmpty();
  }

  @Test
  void sayForASecondThatTheyCannotBeRead() {
    away = true;
    for (int i = 0; i < 10; i++) {
      assertThatExceptionOfType(DataAccessResourceFailureException.class)
          .isThrownBy(() -> keys.find("key"));
    }
    assertThat(readings).isEqualTo(1);
    away = false;
    store("key");
    pass(Duration.ofSeconds(1));
    assertThat(keys.find("key")).isPresent();
  }
}
