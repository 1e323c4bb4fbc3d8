package dev.superstep.run.trigger;

import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.trigger.HookSignature.HookRequest;
import dev.superstep.schedule.DatabaseClock;
import dev.superstep.secret.MissingSecretException;
import dev.superstep.secret.ReleasedSecrets;
import dev.superstep.secret.SecretUse;
import dev.superstep.secret.Secrets;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/// Makes sure that a webhook comes from who has its secret.
@Component
class HookVerifier {
  private static final Logger log = LoggerFactory.getLogger(HookVerifier.class);

  private final ReleasedSecrets released;
  private final Secrets secrets;
  private final DatabaseClock clock;

  HookVerifier(ReleasedSecrets released, Secrets secrets, DatabaseClock clock) {
    this.released = released;
    this.secrets = secrets;
    this.clock = clock;
  }

  /// Why no graph of this name may use a secret; empty: it may.
  Optional<String> refusal(String secret, String graph) {
    var use = new SecretUse("", secret);
    return released.refusal(use).or(() -> released.refusal(use, graph));
  }

  /// Looks at the headers alone, before a body is read.
  ///
  /// @throws ServiceException `invalid_signature` if it cannot be a webhook of now
  void requireHeaders(InboundTrigger hook, HookRequest request) {
    HookSignature.read(hook.webhook().scheme(), request).requireTime(clock.instant());
  }

  /// @throws ServiceException `invalid_signature`; `hook_unavailable` if the secret is not there
  void require(InboundTrigger hook, HookRequest request) {
    var scheme = hook.webhook().scheme();
    var signature = HookSignature.read(scheme, request);
    String secret;
    try {
      var use = new SecretUse("", hook.webhook().secret());
      secret = released.signing(use, hook.graph(), secrets.ofCall());
    } catch (MissingSecretException e) {
      log.warn("Webhooks of '{}.{}' cannot be checked", hook.graph(), hook.trigger(), e);
      throw unavailable();
    }
    var key = HookSignature.key(scheme, secret);
    if (key.length == 0) {
      log.warn("The secret of webhooks of '{}.{}' is empty", hook.graph(), hook.trigger());
      throw unavailable();
    }
    signature.require(key, clock.instant());
  }

  static ServiceException unavailable() {
    return new ServiceException(
        ErrorCode.HOOK_UNAVAILABLE,
        "this webhook cannot start runs now; who keeps the graph finds out why in the log");
  }
}
