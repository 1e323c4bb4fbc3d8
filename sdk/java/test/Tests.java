import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.Executors;

/// A program that runs tests, so that the client's build needs nothing but a JDK: each public method
/// without arguments of the classes that it is given, on an instance of its own.
public abstract class Tests {
  HttpServer server;

  public static void main(String[] classes) throws Exception {
    System.setProperty("java.util.logging.config.file", "none");
    int failed = 0;
    for (var name : classes) {
      for (var test : Class.forName(name).getDeclaredMethods()) {
        if (test.getParameterCount() == 0 && Modifier.isPublic(test.getModifiers())) {
          var tests = (Tests) test.getDeclaringClass().getDeclaredConstructor().newInstance();
          try {
            test.invoke(tests);
            System.out.println("ok " + name + "." + test.getName());
          } catch (InvocationTargetException e) {
            failed++;
            System.out.println("FAILED " + name + "." + test.getName());
            e.getCause().printStackTrace(System.out);
          } finally {
            tests.stop();
          }
        }
      }
    }
    System.exit(failed == 0 ? 0 : 1);
  }

  private void stop() {
    if (server != null) {
      server.stop(0);
    }
  }

  /// A service that answers so.
  final URI listen(HttpHandler service) throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(
        Executors.newCachedThreadPool(it -> {
          var thread = new Thread(it);
          thread.setDaemon(true);
          return thread;
        }));
    server.createContext("/", service);
    server.start();
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
  }

  static String body(HttpExchange exchange) throws IOException {
    return new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
  }

  static void send(HttpExchange exchange, int status, String text) throws IOException {
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  static void same(Object expected, Object actual) {
    if (!Objects.equals(expected, actual)) {
      throw new AssertionError("expected " + expected + " but was " + actual);
    }
  }

  static void check(boolean... conditions) {
    for (boolean condition : conditions) {
      same(true, condition);
    }
  }
}
