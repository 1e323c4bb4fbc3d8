package dev.superstep.model;

import dev.superstep.engine.node.Deadline;
import dev.superstep.model.identity.TokenHttp.TokenAnswer;
import dev.superstep.model.identity.TokenHttp.TokenQuestion;
import dev.superstep.transport.BodyDecoder;
import dev.superstep.transport.HttpClients;
import dev.superstep.transport.HttpExchanges;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ProxySelector;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import javax.net.ssl.SSLContext;
import org.apache.hc.client5.http.SystemDefaultDnsResolver;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.impl.routing.SystemDefaultRoutePlanner;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.util.TimeValue;

/// Posts requests to providers and reads their answers, whole or piece by piece, up to a limit:
/// without one a provider that does not stop writing takes the memory of the process.
///
/// Unlike HTTP nodes it goes where the operator says, private addresses and proxies of the JVM
/// included.
final class ModelHttp {
  /// Of an answer, unpacked: above any valid result of a task.
  private static final int BYTES_MAX = 8 << 20;

  private static final int EXCERPT_BYTES = 16_384;

  /// Idle ones included. How many calls there are at a time is bounded by the tasks that run.
  private static final int CONNECTIONS_MAX = 16_384;

  /// Of an answer with a token.
  private static final int TOKEN_BYTES_MAX = 128 << 10;

  private static final Duration TOKEN_TIMEOUT = Duration.ofSeconds(10);

  private static final TimeValue IDLE_MAX = TimeValue.ofMinutes(5);

  /// How long the end of a stream may take behind the last piece of an answer.
  private static final Duration END_MAX = Duration.ofSeconds(1);

  private static final HttpClients.Limits LIMITS =
      new HttpClients.Limits(
          Duration.ofSeconds(10), CONNECTIONS_MAX, 500, 65_536, Duration.ofSeconds(2));

  private final HttpExchanges exchanges;

  /// @param threads makes one for each call
  public ModelHttp(ThreadFactory threads) {
    exchanges =
        new HttpExchanges(
            HttpClients.builder(LIMITS, SystemDefaultDnsResolver.INSTANCE, tls())
                .setRoutePlanner(
                    new SystemDefaultRoutePlanner(new PlatformProxies(ProxySelector.getDefault())))
                .evictExpiredConnections()
                .evictIdleConnections(IDLE_MAX)
                .build(),
            threads);
  }

  private static SSLContext tls() {
    try {
      return SSLContext.getDefault();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /// @param body JSON, as UTF-8
  /// @param timeout from the request to the end of the answer
  @SuppressWarnings("ArrayRecordComponent") // is never compared
  public record PostedRequest(
      URI uri, Map<String, String> headers, byte[] body, Duration timeout) {}

  /// How the pieces of an answer are separated.
  public enum Framing {
    /// Server-sent events; a piece is the data of one.
    EVENTS,
    /// A piece is a line.
    LINES
  }

  /// @throws HttpStatusException if the provider answers with a status that is no success
  /// @throws TimeoutException if the answer is not complete in time
  public byte[] whole(PostedRequest call)
      throws IOException, InterruptedException, TimeoutException {
    return send(call, "gzip", InputStream::readAllBytes);
  }

  /// @param pieces receives each piece as it arrives, on another thread than the caller's, also
  ///   after that has been interrupted; true: nothing that counts follows
  /// @throws HttpStatusException if the provider answers with a status that is no success
  /// @throws TimeoutException if the answer is not complete in time
  public void streamed(PostedRequest call, Framing framing, Predicate<String> pieces)
      throws IOException, InterruptedException, TimeoutException {
    var request = request(call, "identity");
    var complete = new AtomicBoolean();
    try {
      exchanges.send(
          request,
          call.timeout(),
          response ->
              read(
                  request,
                  response,
                  in -> {
                    if (pass(in, framing, pieces)) {
                      complete.set(true);
                      end(in, request);
                    }
                    return complete;
                  }));
    } catch (IOException e) {
      if (!complete.get()) {
        throw e;
      }
    }
  }

  private static boolean pass(InputStream in, Framing framing, Predicate<String> pieces)
      throws IOException {
    var lines = new FrameReader(in);
    return switch (framing) {
      case EVENTS -> lines.passEvents(pieces);
      case LINES -> lines.passLines(pieces);
    };
  }

  /// Its connection can be used again once the stream has been read to its end.
  private static void end(InputStream in, HttpPost request) {
    try (var _ = Deadline.in(END_MAX, () -> Thread.startVirtualThread(request::cancel))) {
      in.transferTo(OutputStream.nullOutputStream());
    } catch (IOException _) {
      request.cancel();
    }
  }

  private <T> T send(PostedRequest call, String encodings, BodyDecoder.Reading<T> reading)
      throws IOException, InterruptedException, TimeoutException {
    var request = request(call, encodings);
    return exchanges.send(request, call.timeout(), response -> read(request, response, reading));
  }

  /// Asks those who give tokens; whatever the status, its answer is read, up to a limit.
  ///
  /// @throws TimeoutException if the answer is not complete in time
  public TokenAnswer ask(TokenQuestion question)
      throws IOException, InterruptedException, TimeoutException {
    HttpUriRequestBase request =
        question.body() == null ? new HttpGet(question.uri()) : new HttpPost(question.uri());
    question.headers().forEach(request::setHeader);
    request.setHeader(HttpHeaders.ACCEPT_ENCODING, "identity");
    if (question.body() != null) {
      request.setEntity(new ByteArrayEntity(question.body(), null));
    }
    return exchanges.send(
        request,
        TOKEN_TIMEOUT,
        response -> {
          var entity = response.getEntity();
          try (var body = entity == null ? InputStream.nullInputStream() : entity.getContent()) {
            var read = body.readNBytes(TOKEN_BYTES_MAX);
            if (read.length == TOKEN_BYTES_MAX) {
              request.cancel();
            }
            return new TokenAnswer(response.getCode(), new String(read, StandardCharsets.UTF_8));
          }
        });
  }

  private static HttpPost request(PostedRequest call, String encodings) {
    var request = new HttpPost(call.uri());
    call.headers().forEach(request::setHeader);
    request.setHeader(HttpHeaders.ACCEPT_ENCODING, encodings);
    request.setEntity(new ByteArrayEntity(call.body(), ContentType.APPLICATION_JSON));
    return request;
  }

  /// Closes the connection if the answer is not read to its end: closing the stream would first
  /// read all the rest of it.
  private static <T> T read(
      HttpPost request, ClassicHttpResponse response, BodyDecoder.Reading<T> reading)
      throws IOException {
    var entity = response.getEntity();
    var body = entity == null ? InputStream.nullInputStream() : entity.getContent();
    var decoder =
        new BodyDecoder(text(response, "Content-Encoding"), response.getCode(), BYTES_MAX);
    boolean done = false;
    try {
      if (response.getCode() / 100 != 2) {
        throw refused(response, decoder.read(body, ModelHttp::excerpt));
      }
      var read = decoder.read(body, reading);
      done = true;
      return read;
    } finally {
      if (!done) {
        request.cancel();
      }
    }
  }

  private static String excerpt(InputStream body) throws IOException {
    return new String(body.readNBytes(EXCERPT_BYTES), StandardCharsets.UTF_8);
  }

  private static HttpStatusException refused(ClassicHttpResponse response, String body) {
    return HttpStatusException.answered(
        response.getCode(), body, text(response, "Retry-After"), text(response, "Date"));
  }

  private static String text(ClassicHttpResponse response, String name) {
    var header = response.getFirstHeader(name);
    return header == null || header.getValue() == null ? "" : header.getValue();
  }
}
