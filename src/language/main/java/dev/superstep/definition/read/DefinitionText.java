package dev.superstep.definition.read;

import dev.superstep.definition.AuthorText;
import dev.superstep.definition.AuthorText.Format;
import dev.superstep.definition.Codes;
import dev.superstep.definition.DefinitionLimits;
import dev.superstep.graph.Violation;
import dev.superstep.json.Json;
import dev.superstep.json.JsonException;
import dev.superstep.json.JsonLimits;
import dev.superstep.json.ScalarPlace;
import dev.superstep.json.ScalarPlaces;
import dev.superstep.json.Yaml;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.FieldError;
import dev.superstep.problem.ServiceException;
import dev.superstep.state.value.Value;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A definition as its author sent it. For one thread, which parses it first.
public final class DefinitionText {
  /// What is wrong about a key rather than about its value.
  private static final Set<String> OF_KEYS =
      Set.of(Codes.UNKNOWN_FIELD, Codes.NOT_APPLICABLE, Codes.NO_EFFECT);

  private static final Set<String> UNREADABLE = Set.of("malformed_json", "malformed_yaml");

  private final byte[] utf8;
  private final Format format;
  private @Nullable Bundle bundle;

  public DefinitionText(byte[] utf8, Format format) {
    this.utf8 = utf8.clone();
    this.format = format;
  }

  /// Either a value, or problems at single locations of a text that could be read.
  record ParsedText(Value value, List<Violation> problems) {}

  /// @throws ServiceException `body_too_large`, or `unreadable_body` when the text is neither JSON
  ///   nor YAML
  ParsedText parse(DefinitionLimits limits) {
    if (format == Format.ZIP) {
      bundle = new Bundle(utf8, limits);
      return bundle.parsed();
    }
    if (utf8.length > limits.bytesMax()) {
      throw new ServiceException(
          ErrorCode.BODY_TOO_LARGE,
          "the definition has %d bytes; superstep.definitions.bytes-max allows %d"
              .formatted(utf8.length, limits.bytesMax()));
    }
    try {
      return new ParsedText(value(limits), List.of());
    } catch (JsonException e) {
      if (e.problems().stream().anyMatch(it -> UNREADABLE.contains(it.code()))) {
        throw unreadable(e);
      }
      return new ParsedText(Value.NULL, e.problems());
    }
  }

  /// As it is kept beside a version.
  public AuthorText source() {
    if (bundle != null) {
      return bundle.source();
    }
    return new AuthorText(format, decode());
  }

  /// The same problems with their position in this text: within a string, at a value, or at its
  /// key. Without a position if the string stands behind an alias.
  public List<Violation> placed(List<Violation> violations) {
    if (bundle != null) {
      return bundle.placed(violations);
    }
    if (violations.isEmpty()) {
      return violations;
    }
    var pointers = violations.stream().map(Violation::pointer).collect(Collectors.toSet());
    var text = decode();
    var scalarPlaces =
        switch (format) {
          case JSON -> ScalarPlaces.ofJson(text, pointers);
          case YAML -> ScalarPlaces.ofYaml(text, pointers);
          case ZIP -> throw isBundle();
        };
    return violations.stream().map(it -> placed(it, scalarPlaces)).toList();
  }

  private static Violation placed(Violation violation, ScalarPlaces scalarPlaces) {
    var pointer = violation.pointer();
    Optional<ScalarPlace.LinePosition> at;
    if (violation.hasPosition()) {
      at = scalarPlaces.find(pointer).map(it -> it.at(violation.line(), violation.column()));
    } else if (OF_KEYS.contains(violation.code())) {
      at = scalarPlaces.key(pointer);
    } else {
      at = scalarPlaces.around(pointer);
    }
    return at.map(it -> violation.at(it.line(), it.column())).orElseGet(() -> violation.at(0, 0));
  }

  private Value value(DefinitionLimits limits) {
    // Aliases must not make more of a text than its author could have sent without them.
    var bounds = JsonLimits.DEFAULT.withChars(limits.bytesMax());
    var text = decode();
    return switch (format) {
      case JSON -> Json.read(text, bounds);
      case YAML -> Yaml.read(text, bounds);
      case ZIP -> throw isBundle();
    };
  }

  private static IllegalStateException isBundle() {
    return new IllegalStateException("a bundle is no text");
  }

  private String decode() {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString();
    } catch (CharacterCodingException _) {
      throw new ServiceException(
          ErrorCode.UNREADABLE_BODY, "the body is no UTF-8; send the definition as UTF-8 text");
    }
  }

  private ServiceException unreadable(JsonException failure) {
    var errors = failure.problems();
    return new ServiceException(
        ErrorCode.UNREADABLE_BODY,
        "the body is no well-formed %s: %s".formatted(format, errors.getFirst().message()),
        FieldError.of(errors));
  }
}
