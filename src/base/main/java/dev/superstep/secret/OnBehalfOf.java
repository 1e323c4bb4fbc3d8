package dev.superstep.secret;

import dev.superstep.problem.Setting;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// Whose token a tool of the operator is called with, in place of a key: the token of who has
/// started the run.
///
/// @param subject how that token becomes the tool's
/// @param audience whom the token must be for
/// @param scopes that an exchanged token is asked for; none: as the issuer decides
public record OnBehalfOf(
    @Nullable TokenMode subject,
    @DefaultValue("") String audience,
    @DefaultValue List<String> scopes) {
  private static final Pattern PLACE_IN_HOST = Pattern.compile("^[^/]*//[^/?#]*[{]");

  public OnBehalfOf {
    scopes = List.copyOf(scopes);
  }

  /// How a token becomes the tool's.
  public enum TokenMode {
    /// It is sent as it is, if the audience is among its own.
    PASS,
    /// The issuer exchanges it for one of that audience (RFC 8693).
    EXCHANGE
  }

  /// Whether an argument, which a model may choose, has a place in the host that would be sent the
  /// token.
  public static boolean hasPlaceInHost(String url) {
    return PLACE_IN_HOST.matcher(url).find();
  }

  /// @param property that has it
  /// @throws dev.superstep.problem.InvalidSettingException if a token could go to anybody
  public void check(String property) {
    if (subject == null) {
      throw new Setting(property + ".subject").invalid("must be pass or exchange");
    }
    if (audience.isBlank()) {
      throw new Setting(property + ".audience")
          .invalid("is missing: a token goes to nobody but whom it is for");
    }
    if (subject == TokenMode.PASS && !scopes.isEmpty()) {
      throw new Setting(property + ".scopes").invalid("has no effect on a token that is passed on");
    }
  }
}
