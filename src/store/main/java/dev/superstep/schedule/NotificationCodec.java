package dev.superstep.schedule;

import dev.superstep.schedule.ReplicaNotifications.NotificationKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Notifications as payloads of NOTIFY, which may have less than 8,000 bytes: the sender's name,
/// and then a line per kind with runs. Names and runs are ASCII without blanks.
final class NotificationCodec {
  /// Receives one notification.
  @FunctionalInterface
  interface Receiver {
    void receive(String sender, NotificationKind kind, String run);
  }

  private NotificationCodec() {}

  static List<String> write(String sender, Map<NotificationKind, Set<String>> notifications) {
    var payloads = new ArrayList<String>();
    var text = new StringBuilder(sender);
    for (var notification : notifications.entrySet()) {
      text.append('\n').append(notification.getKey().sign());
      for (var run : notification.getValue()) {
        if (text.length() + run.length() > ReplicaNotifications.TEXT_BYTES_MAX) {
          payloads.add(text.toString());
          text = new StringBuilder(sender).append('\n').append(notification.getKey().sign());
        }
        text.append(' ').append(run);
      }
    }
    payloads.add(text.toString());
    return payloads;
  }

  /// Passes on what other replicas sent; notifications of `self` are left out.
  static void read(String payload, String self, Receiver receiver) {
    var lines = payload.split("\n", -1);
    if (lines[0].equals(self)) {
      return;
    }
    for (int i = 1; i < lines.length; i++) {
      var words = lines[i].split(" ", -1);
      for (var kind : NotificationKind.values()) {
        if (words[0].equals(String.valueOf(kind.sign()))) {
          for (int j = 1; j < words.length; j++) {
            receiver.receive(lines[0], kind, words[j]);
          }
        }
      }
    }
  }
}
