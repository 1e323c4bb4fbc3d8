package dev.superstep.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/// What the JDK does not do with processes.
final class Processes {
  private static final int FIRST_PORT = 12_000;
  private static final int PORTS = 20_000;

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

  /// Below those that systems give to connections, which could take it before its server is there.
  static int freePort() {
    for (int tries = 0; tries < 1_000; tries++) {
      int port = FIRST_PORT + ThreadLocalRandom.current().nextInt(PORTS);
      try (var socket = new ServerSocket(port)) {
        return socket.getLocalPort();
      } catch (IOException _) {
        // another one
      }
    }
    throw new IllegalStateException("no port is free");
  }
}
