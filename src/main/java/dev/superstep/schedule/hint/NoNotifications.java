package dev.superstep.schedule.hint;

import dev.superstep.schedule.ReplicaNotifications;
import java.util.List;

/// Sends nothing, for databases behind a pooler without sessions: polls find everything.
public final class NoNotifications implements ReplicaNotifications {

  @Override
  public void send(Kind kind, String run) {}

  @Override
  public void sendLive(String replica, List<String> texts) {}

  @Override
  public boolean arrive() {
    return false;
  }
}
