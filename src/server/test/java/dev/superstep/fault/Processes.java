package dev.superstep.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/// What the JDK does not do with processes.
final class Processes {
  private static final int FIRST_PORT = 12_000;
  private static final int PORTS = 20_000;

  /// Counts the ports that have been looked at, from a random one on.
  private static final AtomicInteger next =
      new AtomicInteger(ThreadLocalRandom.current().nextInt(PORTS));

  private Processes() {}

  enum Signal {
    STOP,
    CONT,
    QUIT
  }

  static void send(ProcessHandle process, Signal signal) throws InterruptedException {
    var pid = Long.toString(process.pid());
    try {
      int code = new ProcessBuilder("kill", "-" + signal, pid).inheritIO().start().waitFor();
      if (code != 0) {
        throw new IllegalStateException("kill -%s %s gave %d".formatted(signal, pid, code));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Below those that systems give to connections, which could take it before its server is there,
  /// and none that another call has given away, whose server may not be there either.
  static int freePort() {
    for (int tries = 0; tries < 1_000; tries++) {
      int port = FIRST_PORT + Math.floorMod(next.getAndIncrement(), PORTS);
      try (var socket = new ServerSocket(port)) {
        return socket.getLocalPort();
      } catch (IOException _) {
        // another one
      }
    }
    throw new IllegalStateException("no port is free");
  }
}
