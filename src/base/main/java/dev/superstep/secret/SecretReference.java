package dev.superstep.secret;

import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/// A reference to a secret: `env:NAME`, `file:/path` or `property:name`.
public sealed interface SecretReference {

  /// An environment variable.
  record Variable(String name) implements SecretReference {
    @Override
    public String toString() {
      return "env:" + name;
    }
  }

  /// A file that holds nothing else; white space around it does not count.
  record File(Path path) implements SecretReference {
    @Override
    public String toString() {
      return "file:" + path;
    }
  }

  /// A property of the service's environment.
  record Property(String name) implements SecretReference {
    @Override
    public String toString() {
      return "property:" + name;
    }
  }

  /// The description of an unreadable reference in messages: never the text itself, which may be
  /// the secret.
  String FORMS = "must say where the secret is kept: env:NAME, file:/path or property:name";

  /// @return empty if the text is no reference
  static Optional<SecretReference> parse(String text) {
    var matcher = ReferenceForm.PATTERN.matcher(text.strip());
    if (!matcher.matches()) {
      return Optional.empty();
    }
    var name = matcher.group(2);
    return Optional.of(
        switch (matcher.group(1)) {
          case "env" -> new Variable(name);
          case "file" -> new File(Path.of(name));
          default -> new Property(name);
        });
  }

  /// How references are written.
  final class ReferenceForm {
    private static final Pattern PATTERN = Pattern.compile("(env|file|property):(\\S.*)");

    private ReferenceForm() {}
  }
}
