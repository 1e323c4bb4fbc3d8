package dev.superstep.node.http;

import dev.superstep.secret.SecretsOfCall;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hc.core5.http.ContentType;

/// The answer to an HTTP request.
///
/// @param uri that answered, after redirects
/// @param headers lower-case name → value; values of one name joined by a comma
/// @param body empty if there was none
record HttpReply(URI uri, int status, Map<String, String> headers, byte[] body) {

  /// The same, should the callee show what it was sent.
  public HttpReply without(SecretsOfCall sent) {
    if (sent.isNone()) {
      return this;
    }
    var clean = new LinkedHashMap<String, String>();
    headers.forEach((name, value) -> clean.put(name, sent.scrub(value)));
    var text = new String(body, StandardCharsets.ISO_8859_1);
    return new HttpReply(
        uri, status, clean, sent.scrub(text).getBytes(StandardCharsets.ISO_8859_1));
  }

  public boolean isSuccess() {
    return status >= 200 && status < 300;
  }

  /// Whether it sends the caller elsewhere (not 304, which answers a conditional request).
  public boolean isRedirect() {
    return switch (status) {
      case 301, 302, 303, 307, 308 -> headers.containsKey("location");
      default -> false;
    };
  }

  Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name));
  }

  /// The media type without parameters; empty if there is none that can be read.
  public String mediaType() {
    var type = ContentType.parseLenient(headers.get("content-type"));
    return type == null ? "" : type.getMimeType().toLowerCase(java.util.Locale.ROOT);
  }

  public boolean isJson() {
    return mediaType().equals("application/json") || mediaType().endsWith("+json");
  }

  /// The body as text; empty if its bytes are none in the charset it names.
  public Optional<String> text() {
    try {
      return Optional.of(charset().newDecoder().decode(ByteBuffer.wrap(body)).toString());
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }

  private Charset charset() {
    var type = ContentType.parseLenient(headers.get("content-type"));
    var charset = type == null ? null : type.getCharset();
    return charset == null || isJson() ? StandardCharsets.UTF_8 : charset;
  }

  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }

  @Override
  public String toString() {
    return status + " from " + Urls.origin(uri);
  }
}
