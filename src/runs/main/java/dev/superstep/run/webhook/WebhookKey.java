package dev.superstep.run.webhook;

import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.secret.MissingSecretException;
import dev.superstep.secret.SecretReference;
import dev.superstep.secret.Secrets;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/// The key of the server of which secrets of webhooks are made, read where it is needed.
@Component
class WebhookKey {
  private static final Logger log = LoggerFactory.getLogger(WebhookKey.class);
  private final Secrets secrets;
  private final Optional<SecretReference> reference;

  WebhookKey(Secrets secrets, WebhookSettings settings) {
    this.secrets = secrets;
    this.reference = SecretReference.parse(settings.key());
  }

  /// @throws ServiceException if the key is not where the settings say
  WebhookSecret.MadeSecret make() {
    try {
      return WebhookSecret.make(value());
    } catch (MissingSecretException e) {
      log.warn("Webhooks can get no secret: superstep.webhooks.key cannot be read", e);
      throw new ServiceException(
          ErrorCode.HOOK_UNAVAILABLE, "the key of which secrets are made is not there now");
    }
  }

  /// @return empty if it was made with another key
  /// @throws MissingSecretException if there is none now
  Optional<WebhookSecret> read(byte[] stored) {
    return WebhookSecret.read(value(), stored);
  }

  private Optional<String> value() {
    return reference.map(secrets::resolve);
  }
}
