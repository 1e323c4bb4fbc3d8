package dev.superstep.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.schedule.ReplicaNotifications.NotificationKind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NotificationCodecTests {
  private static final int PAYLOAD_MAX = 8_000;

  private static List<String> read(List<String> payloads, String self) {
    var heard = new ArrayList<String>();
    payloads.forEach(
        it -> NotificationCodec.read(it, self, (_, kind, run) -> heard.add(kind + " " + run)));
    return heard;
  }

  @Test
  void bringsHintsToOthersAndNotToTheSender() {
    var hints = new EnumMap<NotificationKind, Set<String>>(NotificationKind.class);
    hints.put(NotificationKind.DUE, Set.of(""));
    hints.put(NotificationKind.LOOK, new LinkedHashSet<>(List.of("r1", "r.2")));
    hints.put(NotificationKind.WATCHING, Set.of("r-3"));

    var payloads = NotificationCodec.write("me", hints);

    assertThat(read(payloads, "you"))
        .containsExactly("DUE ", "LOOK r1", "LOOK r.2", "WATCHING r-3");
    assertThat(read(payloads, "me")).isEmpty();
  }

  /// Rule 6: NOTIFY takes less than 8,000 bytes.
  @Test
  void splitsWhatIsTooLongForOneNotification() {
    var runs = new LinkedHashSet<String>();
    for (int i = 0; i < 500; i++) {
      runs.add("%04d".formatted(i) + "x".repeat(124));
    }

    var payloads =
        NotificationCodec.write(
            "0199f5a1-9b5e-7c62-a4f1-2f9d1c3b7a10", Map.of(NotificationKind.WATCHING, runs));

    assertThat(payloads).allMatch(it -> it.length() < PAYLOAD_MAX);
    assertThat(payloads).hasSizeGreaterThan(8);
    assertThat(new HashSet<>(read(payloads, ""))).hasSize(500);
  }

  @Test
  void ignoresWhatOtherReleasesMightSay() {
    assertThat(read(List.of("you\nz r1\nn r2\nm r3", "nonsense"), "me")).containsExactly("LOOK r3");
  }
}
