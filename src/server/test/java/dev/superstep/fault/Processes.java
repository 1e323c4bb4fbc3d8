package dev.superstep.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;

/// What the JDK does not do with processes.
final class Processes {
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

  static int freePort() {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
