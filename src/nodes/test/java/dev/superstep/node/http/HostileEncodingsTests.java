package dev.superstep.node.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.engine.run.TaskError;
import dev.superstep.graph.RetryPolicy.Retryable;
import dev.superstep.node.TestCall;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a callee says about the encoding of its answer decides about memory and time of the caller:
/// only what [BodyDecoder] knows is unpacked, within the limit of an answer.
@Timeout(30)
class HostileEncodingsTests {
  private static final byte[] ANSWER = "{\"prompt\": \"p\"}".getBytes(StandardCharsets.UTF_8);

  private final TestServer server = new TestServer();
  private final TestNodes nodes;

  HostileEncodingsTests() throws Exception {
    nodes = TestNodes.onLoopback();
  }

  @AfterEach
  void close() throws Exception {
    nodes.close();
    server.close();
  }

  /// The first two headers ask for dictionaries of 4 GB.
  @ParameterizedTest
  @CsvSource({
    "xz,              fd377a585a000004e6d6b446020021012800000020e1e4ae",
    "lzma,            5dffffffffffffffffffffffff00000000",
    "lz4-framed,      04224d186040820000000000",
    "bzip2,           425a683931415926535900000000",
    "br,              0b068000",
    "zstd,            28b52ffd00580000",
    "compress,        1f9d90",
    "pack200,         cafed00d",
    "snappy-framed,   ff060000734e61507059",
    "deflate64,       4b04",
    "z,               1f9d90",
    "x-unheard-of,    00",
    "'gzip, gzip',    1f8b08",
    "'gzip, xz',      fd377a58",
    "'br, gzip',      1f8b08",
    "'gzip;q=1',      1f8b08",
    "*,               00",
  })
  void refusesWhatItDoesNotUnpack(String encoding, String hex) throws Exception {
    answer(encoding, HexFormat.of().parseHex(hex));

    var error = nodes.failed(TestCall.plain(), "{'url': '%s'}", server.url("/packed"));

    assertThat(error)
        .extracting(TaskError::code, TaskError::retryable)
        .containsExactly("bad_node_result", Retryable.NO);
    assertThat(error.message()).contains("Content-Encoding", encoding, "gzip").contains("deflate");
  }

  @Test
  void refusesEncodingsThatAreNamedInSeveralHeaders() throws Exception {
    server.on(
        "/packed",
        exchange -> {
          exchange.getResponseHeaders().add("Content-Encoding", "gzip");
          exchange.getResponseHeaders().add("Content-Encoding", "gzip");
          TestServer.send(exchange, 200, "{}");
        });

    assertThat(failure()).contains("gzip, gzip");
  }

  /// The status says whether another attempt may help, not the packaging of the error page.
  @Test
  void triesAgainBehindAnErrorPageThatItDoesNotUnpack() throws Exception {
    server.on("/packed", 503, "x", "Content-Encoding", "br");

    assertThat(nodes.failed(TestCall.plain(), "{'url': '%s'}", server.url("/packed")).retryable())
        .isEqualTo(Retryable.YES);
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "deflate"})
  void stopsUnpackingAtTheLimit(String encoding) throws Exception {
    var bomb = new ByteArrayOutputStream();
    try (var out =
        encoding.equals("gzip") ? new GZIPOutputStream(bomb) : new DeflaterOutputStream(bomb)) {
      var zeros = new byte[1 << 16];
      for (int i = 0; i < 100; i++) { // 6.5 MB in less than the 8 KB that an answer may have
        out.write(zeros);
      }
    }
    answer(encoding, bomb.toByteArray());

    assertThat(bomb.size()).isLessThan(8_192);
    assertThat(failure()).contains("superstep.http.response-max");
  }

  /// Members that hold nothing give no byte to count.
  @Test
  void stopsReadingWhatUnpacksToNothing() throws Exception {
    var nothing = gzip(new byte[0]);
    server.on(
        "/packed",
        exchange -> {
          exchange.getResponseHeaders().add("Content-Encoding", "gzip");
          exchange.sendResponseHeaders(200, 0);
          while (!Thread.currentThread().isInterrupted()) {
            exchange.getResponseBody().write(nothing);
          }
        });

    assertThat(failure()).contains("superstep.http.response-max");
  }

  @Test
  void triesAgainWhatBreaksOffWithinItsPackaging() throws Exception {
    var whole = gzip(ANSWER);
    answer("gzip", Arrays.copyOf(whole, whole.length - 9));

    assertThat(nodes.failed(TestCall.plain(), "{'url': '%s'}", server.url("/packed")))
        .extracting(TaskError::code, TaskError::retryable)
        .containsExactly("http_unreachable", Retryable.YES);
  }

  @Test
  void refusesWhatIsNotPackedAsItSays() throws Exception {
    answer("gzip", ANSWER);

    assertThat(failure()).contains("is no gzip");
  }

  @Test
  void refusesADamagedBody() throws Exception {
    var damaged = gzip(ANSWER);
    damaged[damaged.length - 6] ^= 0x55;
    answer("gzip", damaged);

    assertThat(failure()).contains("is no gzip");
  }

  @Test
  void refusesDeflateThatWantsADictionary() throws Exception {
    var deflater = new Deflater();
    deflater.setDictionary(ANSWER);
    answer("deflate", deflated(deflater));

    assertThat(failure()).contains("is no deflate");
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "x-gzip", "GZIP", "identity"})
  void readsWhatIsPackedOnce(String encoding) throws Exception {
    answer(encoding, encoding.equals("identity") ? ANSWER : gzip(ANSWER));

    assertThat(nodes.done(TestCall.plain(), "{'url': '%s'}", server.url("/packed")).prompt())
        .isEqualTo("p");
  }

  /// RFC 9110 says zlib; a part of the servers leaves its frame out.
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void readsBothFlavoursOfDeflate(boolean bare) throws Exception {
    answer("deflate", deflated(new Deflater(Deflater.DEFAULT_COMPRESSION, bare)));

    assertThat(nodes.done(TestCall.plain(), "{'url': '%s'}", server.url("/packed")).prompt())
        .isEqualTo("p");
  }

  @Test
  void readsAnAnswerWithoutBodyWhateverItsEncoding() throws Exception {
    server.on("/packed", 204, "", "Content-Encoding", "gzip");

    nodes.done(TestCall.plain(), "{'url': '%s'}", server.url("/packed"));
  }

  @Test
  void offersNothingElse() throws Exception {
    server.on("/packed", 200, "{}");
    nodes.done(
        TestCall.plain(),
        "{'url': '%s', 'headers': {'Accept-Encoding': 'xz, br'}}",
        server.url("/packed"));

    assertThat(server.requests.getLast().header("Accept-encoding")).isEqualTo("gzip, deflate");
  }

  private String failure() throws Exception {
    return nodes.failed(TestCall.plain(), "{'url': '%s'}", server.url("/packed")).message();
  }

  private void answer(String encoding, byte[] body) {
    server.on(
        "/packed",
        exchange -> {
          exchange.getResponseHeaders().add("Content-Encoding", encoding);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
        });
  }

  private static byte[] gzip(byte[] content) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var out = new GZIPOutputStream(bytes)) {
      out.write(content);
    }
    return bytes.toByteArray();
  }

  private static byte[] deflated(Deflater deflater) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (deflater;
        var out = new DeflaterOutputStream(bytes, deflater)) {
      out.write(ANSWER);
    }
    return bytes.toByteArray();
  }
}
