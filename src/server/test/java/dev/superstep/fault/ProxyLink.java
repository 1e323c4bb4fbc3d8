package dev.superstep.fault;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/// One connection through the proxy. It knows just enough of PostgreSQL's protocol to tell which
/// answer acknowledges a commit: every message but the first is a letter, a length and a body; the
/// client's ends with Sync or is a simple query, the server's with ReadyForQuery.
final class ProxyLink {
  /// How the pools of the scheduler, and of the watch over who is a member, introduce themselves
  /// once they are connected.
  private static final Pattern SCHEDULER =
      Pattern.compile("application_name = 'superstep-(scheduler|watch)'");

  private static final int BUFFER = 1 << 16;
  private static final Pattern WRITES =
      Pattern.compile("^\\s*(commit\\b|(with|insert|update|delete)\\b)", Pattern.CASE_INSENSITIVE);

  private final FaultProxy proxy;
  private final Socket client;
  private final Socket database;

  /// Statements that the server keeps, by name.
  private final Map<String, String> prepared = new HashMap<>();

  private volatile boolean scheduler;
  private volatile boolean holding;
  private boolean writes;

  ProxyLink(FaultProxy proxy, Socket client, Socket database) throws IOException {
    this.proxy = proxy;
    this.client = client;
    this.database = database;
    client.setTcpNoDelay(true);
    database.setTcpNoDelay(true);
  }

  private record Message(int type, byte[] body) {
    static Message read(DataInputStream in) throws IOException {
      int type = in.read();
      if (type < 0) {
        throw new EOFException();
      }
      return new Message(type, in.readNBytes(in.readInt() - Integer.BYTES));
    }

    void write(DataOutputStream out) throws IOException {
      out.write(type);
      out.writeInt(body.length + Integer.BYTES);
      out.write(body);
    }

    /// The zero-terminated string behind the first `skipped` ones.
    String text(int skipped) {
      int from = 0;
      for (int i = 0; i < skipped; i++) {
        from = end(from) + 1;
      }
      return new String(body, from, end(from) - from, StandardCharsets.UTF_8);
    }

    private int end(int from) {
      int at = from;
      while (body[at] != 0) {
        at++;
      }
      return at;
    }
  }

  /// Whether the scheduler talks here, and the watch over who is a member.
  boolean isScheduler() {
    return scheduler;
  }

  /// Until either side hangs up.
  void serve() {
    var answers = Thread.ofVirtual().name("proxy-answers").start(() -> pump(this::answers));
    pump(this::questions);
    try {
      answers.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private interface Pump {
    void run() throws IOException, InterruptedException;
  }

  private void pump(Pump pump) {
    try {
      pump.run();
    } catch (IOException _) {
      // one side has hung up
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      close();
    }
  }

  void close() {
    close(client);
    close(database);
  }

  static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException _) {
      // it is of no use any more
    }
  }

  private static DataInputStream in(Socket socket) throws IOException {
    return new DataInputStream(new BufferedInputStream(socket.getInputStream(), BUFFER));
  }

  private static DataOutputStream out(Socket socket) throws IOException {
    return new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), BUFFER));
  }

  private void questions() throws IOException, InterruptedException {
    var in = in(client);
    var out = out(database);
    int length = in.readInt();
    var greeting = in.readNBytes(length - Integer.BYTES);
    out.writeInt(length);
    out.write(greeting);
    out.flush();
    while (true) {
      var message = Message.read(in);
      proxy.awaitPassage(this, message.type());
      look(message);
      message.write(out);
      if (in.available() == 0) {
        out.flush();
      }
    }
  }

  private void look(Message message) {
    switch (message.type()) {
      case 'P' -> prepared.put(message.text(0), message.text(1));
      case 'B' -> writes |= writes(prepared.getOrDefault(message.text(1), ""));
      case 'Q' -> {
        writes |= writes(message.text(0));
        scheduler |= SCHEDULER.matcher(message.text(0)).find();
        ask();
      }
      case 'S' -> ask();
      default -> {}
    }
  }

  private static boolean writes(String statement) {
    return WRITES.matcher(statement).find();
  }

  /// Before the server can answer.
  private void ask() {
    if (writes && proxy.wantsDrop()) {
      holding = true;
    }
    writes = false;
  }

  private void answers() throws IOException, InterruptedException {
    var in = in(database);
    var out = out(client);
    while (true) {
      var message = Message.read(in);
      proxy.awaitPassage(this, message.type());
      if (holding) {
        hold(message, in, out);
      } else {
        message.write(out);
      }
      if (in.available() == 0) {
        out.flush();
      }
    }
  }

  /// Reads the whole answer; if it says that something was committed, nobody will ever hear of it.
  private void hold(Message first, DataInputStream in, DataOutputStream out) throws IOException {
    var kept = new ByteArrayOutputStream();
    var copy = new DataOutputStream(kept);
    boolean failed = false;
    var message = first;
    while (true) {
      message.write(copy);
      failed |= message.type() == 'E';
      if (message.type() == 'Z') {
        break;
      }
      message = Message.read(in);
    }
    if (!failed && message.body()[0] == 'I' && proxy.takeDrop()) {
      throw new EOFException("dropped");
    }
    holding = false;
    copy.flush();
    kept.writeTo(out);
  }
}
