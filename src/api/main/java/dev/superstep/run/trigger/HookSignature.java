package dev.superstep.run.trigger;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.superstep.definition.HookScheme;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import java.io.ByteArrayOutputStream;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// The signature of a webhook: an HMAC-SHA256 over its body, and where the scheme has them over its
/// id and its time.
///
/// @param signed what was signed
/// @param signatures any of which may be right: some senders sign with two keys for a while
/// @param at when it was signed; empty: the scheme has no time
record HookSignature(byte[] signed, List<byte[]> signatures, Optional<Instant> at) {
  /// How far its time may be from now, as the senders recommend.
  static final Duration TOLERANCE = Duration.ofMinutes(5);

  private static final String MAC = "HmacSHA256";
  private static final int SIGNATURES_MAX = 10;

  HookSignature {
    signatures = List.copyOf(signatures);
  }

  /// A request that may be a webhook.
  ///
  /// @param headers by their names in lower case
  record HookRequest(Map<String, String> headers, byte[] body) {
    HookRequest {
      headers = Map.copyOf(headers);
    }

    private String required(String header) {
      var value = headers.get(header);
      if (value == null) {
        throw refused("the header %s is missing".formatted(header));
      }
      return value;
    }
  }

  /// @throws ServiceException `invalid_signature` if a header is missing
  static HookSignature read(HookScheme scheme, HookRequest request) {
    return switch (scheme) {
      case STANDARD -> {
        var id = request.required("webhook-id");
        var time = request.required("webhook-timestamp");
        yield new HookSignature(
            joined(id + "." + time + ".", request.body()),
            base64(parts(request.required("webhook-signature"), " ", "v1,")),
            Optional.of(seconds(time)));
      }
      case GITHUB ->
          new HookSignature(
              request.body(),
              hex(parts(request.required("x-hub-signature-256"), ",", "sha256=")),
              Optional.empty());
      case STRIPE -> {
        var header = request.required("stripe-signature");
        var time = parts(header, ",", "t=").stream().findFirst().orElse("");
        yield new HookSignature(
            joined(time + ".", request.body()),
            hex(parts(header, ",", "v1=")),
            Optional.of(seconds(time)));
      }
      case SLACK -> {
        var time = request.required("x-slack-request-timestamp");
        yield new HookSignature(
            joined("v0:" + time + ":", request.body()),
            hex(parts(request.required("x-slack-signature"), ",", "v0=")),
            Optional.of(seconds(time)));
      }
    };
  }

  /// The values of a header that begin so, without that.
  private static List<String> parts(String header, String separator, String begin) {
    return Stream.of(header.split(separator, -1))
        .map(String::strip)
        .filter(it -> it.startsWith(begin))
        .map(it -> it.substring(begin.length()))
        .limit(SIGNATURES_MAX)
        .toList();
  }

  private static byte[] joined(String begin, byte[] body) {
    var all = new ByteArrayOutputStream();
    all.writeBytes(begin.getBytes(UTF_8));
    all.writeBytes(body);
    return all.toByteArray();
  }

  private static Instant seconds(String text) {
    try {
      return Instant.ofEpochSecond(Long.parseLong(text));
    } catch (NumberFormatException | DateTimeException _) {
      throw refused("its time is no number of seconds");
    }
  }

  private static List<byte[]> hex(List<String> texts) {
    var found = new ArrayList<byte[]>();
    for (var text : texts) {
      try {
        found.add(HexFormat.of().parseHex(text));
      } catch (IllegalArgumentException _) {
        // no signature of this kind
      }
    }
    return found;
  }

  private static List<byte[]> base64(List<String> texts) {
    var found = new ArrayList<byte[]>();
    for (var text : texts) {
      try {
        found.add(Base64.getDecoder().decode(text));
      } catch (IllegalArgumentException _) {
        // no signature of this kind
      }
    }
    return found;
  }

  /// The key of HMAC that a secret stands for.
  static byte[] key(HookScheme scheme, String secret) {
    if (scheme != HookScheme.STANDARD) {
      return secret.getBytes(UTF_8);
    }
    var text = secret.startsWith("whsec_") ? secret.substring("whsec_".length()) : secret;
    try {
      return Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException _) {
      return secret.getBytes(UTF_8);
    }
  }

  /// The time of the comparison reveals nothing about the signature that is expected.
  ///
  /// @throws ServiceException `invalid_signature`
  void require(byte[] key, Instant now) {
    requireTime(now);
    var expected = hmac(key, signed);
    boolean right = false;
    for (var signature : signatures) {
      right |= MessageDigest.isEqual(expected, signature);
    }
    if (!right) {
      throw refused("no signature of it is that of the secret");
    }
  }

  /// @throws ServiceException `invalid_signature`
  void requireTime(Instant now) {
    if (signatures.isEmpty()) {
      throw refused("it has no signature");
    }
    if (at.filter(it -> Duration.between(it, now).abs().compareTo(TOLERANCE) > 0).isPresent()) {
      throw refused(
          "it was signed at %s, more than %d minutes from now"
              .formatted(at.get(), TOLERANCE.toMinutes()));
    }
  }

  private static byte[] hmac(byte[] key, byte[] content) {
    try {
      var mac = Mac.getInstance(MAC);
      mac.init(new SecretKeySpec(key, MAC));
      return mac.doFinal(content);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + MAC, e);
    }
  }

  private static ServiceException refused(String why) {
    return new ServiceException(
        ErrorCode.INVALID_SIGNATURE, "this is no webhook of the sender: " + why);
  }
}
