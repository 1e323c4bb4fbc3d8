package dev.superstep.model.identity;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Signs posted requests with Signature Version 4 of AWS.
final class AwsSignature {
  private static final String ALGORITHM = "AWS4-HMAC-SHA256";
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

  private final String region;
  private final String service;

  AwsSignature(String region, String service) {
    this.region = region;
    this.service = service;
  }

  /// @param headers signed besides the host and those that the signature needs itself
  /// @return the headers to send, in lower case, `host` excluded
  Map<String, String> sign(
      URI uri, Map<String, String> headers, byte[] body, AwsCredential credential, Instant now) {
    var time = TIME.format(now);
    var signed = new TreeMap<>(headers);
    signed.put("host", host(uri));
    signed.put("x-amz-date", time);
    if (!credential.sessionToken().isEmpty()) {
      signed.put("x-amz-security-token", credential.sessionToken());
    }
    var names = String.join(";", signed.keySet());
    var canonical =
        String.join(
            "\n",
            "POST",
            path(uri),
            query(uri),
            signed.entrySet().stream()
                .map(it -> it.getKey() + ":" + it.getValue().strip() + "\n")
                .collect(Collectors.joining()),
            names,
            hash(body));
    var scope = "%s/%s/%s/aws4_request".formatted(time.substring(0, 8), region, service);
    var text = String.join("\n", ALGORITHM, time, scope, hash(bytes(canonical)));
    var signature = HexFormat.of().formatHex(mac(key(credential, time.substring(0, 8)), text));
    signed.remove("host");
    signed.put(
        "authorization",
        "%s Credential=%s/%s, SignedHeaders=%s, Signature=%s"
            .formatted(ALGORITHM, credential.accessKey(), scope, names, signature));
    return signed;
  }

  private byte[] key(AwsCredential credential, String day) {
    var key = bytes("AWS4" + credential.secretKey());
    for (var part : new String[] {day, region, service, "aws4_request"}) {
      key = mac(key, part);
    }
    return key;
  }

  private static String host(URI uri) {
    return uri.getPort() < 0 ? uri.getHost() : uri.getHost() + ":" + uri.getPort();
  }

  /// Encoded once more than it is sent.
  private static String path(URI uri) {
    var path = uri.getRawPath();
    return path == null || path.isEmpty()
        ? "/"
        : Arrays.stream(path.split("/", -1))
            .map(AwsSignature::encode)
            .collect(Collectors.joining("/"));
  }

  private static String query(URI uri) {
    var query = uri.getRawQuery();
    return query == null || query.isEmpty()
        ? ""
        : Arrays.stream(query.split("&", -1))
            .map(it -> it.contains("=") ? it : it + "=")
            .sorted()
            .collect(Collectors.joining("&"));
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8)
        .replace("+", "%20")
        .replace("*", "%2A")
        .replace("%7E", "~");
  }

  private static String hash(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] mac(byte[] key, String text) {
    try {
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return mac.doFinal(bytes(text));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
