import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/**
 * What the programs call: {@code java examples/Services.java [port]}.
 *
 * <p>{@code POST /documents} searches (it only knows about owls); {@code POST /flights}, {@code
 * /hotels} and {@code /cars} book, {@code DELETE} takes a booking back. In Rome there are no cars.
 */
public class Services {
  private static final String FOUND =
      "{\"documents\": [{\"id\": 1, \"text\": \"Owls eat mice.\"},"
          + " {\"id\": 2, \"text\": \"Owls can turn their heads.\"}]}";

  public static void main(String[] args) throws IOException {
    int port = args.length > 0 ? Integer.parseInt(args[0]) : 9091;
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
    server.createContext("/documents", Services::search);
    for (String kind : new String[] {"flight", "hotel", "car"}) {
      server.createContext("/" + kind + "s", exchange -> book(exchange, kind));
    }
    server.start();
    System.out.println("listening on 127.0.0.1:" + server.getAddress().getPort());
  }

  private static void search(HttpExchange exchange) throws IOException {
    answer(exchange, 200, body(exchange).contains("owl") ? FOUND : "{\"documents\": []}");
  }

  private static void book(HttpExchange exchange, String kind) throws IOException {
    String trip = body(exchange);
    System.out.println(exchange.getRequestMethod() + " " + exchange.getRequestURI());
    if (kind.equals("car") && trip.contains("Rome")) {
      answer(exchange, 409, "{\"code\": \"sold_out\", \"detail\": \"no cars in Rome\"}");
    } else {
      answer(exchange, 200, "{\"id\": \"" + kind + "-1\"}");
    }
  }

  private static String body(HttpExchange exchange) throws IOException {
    return new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
  }

  private static void answer(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    String type = status < 400 ? "application/json" : "application/problem+json";
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }
}
