import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A service to practise failure with: {@code java examples/flaky-http/FlakyServer.java [port]}.
 *
 * <p>{@code POST /flaky} fails twice per idempotency key with 503 and then works; {@code POST
 * /broken} always answers 404. Both speak the protocol of an HTTP node in mode {@code function}.
 */
public class FlakyServer {
  private static final Map<String, Integer> CALLS = new ConcurrentHashMap<>();

  public static void main(String[] args) throws IOException {
    int port = args.length > 0 ? Integer.parseInt(args[0]) : 9090;
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
    server.createContext("/flaky", FlakyServer::flaky);
    server.createContext(
        "/broken", exchange -> answer(exchange, 404, "{\"code\": \"no_such_thing\"}"));
    server.start();
    System.out.println("listening on 127.0.0.1:" + server.getAddress().getPort());
  }

  private static void flaky(HttpExchange exchange) throws IOException {
    String key = String.valueOf(exchange.getRequestHeaders().getFirst("Idempotency-Key"));
    int call = CALLS.merge(key, 1, Integer::sum);
    if (call < 3) {
      answer(exchange, 503, "{}");
    } else {
      answer(exchange, 200, "{\"update\": {\"fetched\": \"an answer after " + call + " calls\"}}");
    }
  }

  private static void answer(HttpExchange exchange, int status, String body) throws IOException {
    exchange.getRequestBody().readAllBytes();
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    String type = status < 400 ? "application/json" : "application/problem+json";
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }
}
