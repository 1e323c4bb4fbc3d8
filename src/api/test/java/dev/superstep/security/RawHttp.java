package dev.superstep.security;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/// One HTTP request as it is written here, because clients do not let one choose the host header or
/// send what is forbidden.
final class RawHttp {

  private RawHttp() {}

  static String get(int port, String path, String... headers) throws IOException {
    return send("GET", port, path, headers);
  }

  static String send(String method, int port, String path, String... headers) throws IOException {
    return sendBody(method, port, path, "", headers);
  }

  /// The caller gives the headers that describe the body.
  static String sendBody(String method, int port, String path, String body, String... headers)
      throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      StringBuilder request = new StringBuilder(method + " " + path + " HTTP/1.1\r\n");
      for (String header : headers) {
        request.append(header).append("\r\n");
      }
      request.append("Connection: close\r\n\r\n").append(body);
      OutputStream out = socket.getOutputStream();
      out.write(request.toString().getBytes(StandardCharsets.ISO_8859_1));
      out.flush();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
