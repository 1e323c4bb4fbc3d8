package dev.superstep.run.webhook;

import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.impl.TimeBasedEpochGenerator;
import dev.superstep.audit.AuditAction;
import dev.superstep.audit.AuditLog;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.RunWebhooks;
import dev.superstep.run.webhook.Webhook.WebhookWithSecret;
import dev.superstep.run.webhook.WebhookDelivery.DeliveryStatus;
import dev.superstep.tenant.Tenant;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.stereotype.Component;

/// Webhooks of the tenant whose request this is, and what they were sent.
@Component
public class WebhookService {
  /// Deliveries that one call has be sent anew.
  private static final int REPLAYED_MAX = 10_000;

  private final WebhookRows webhooks;
  private final DeliveryRows deliveries;
  private final WebhookKey key;
  private final AuditLog audit;
  private final WebhookSettings settings;
  private final TimeBasedEpochGenerator ids = Generators.timeBasedEpochGenerator();

  WebhookService(
      WebhookRows webhooks,
      DeliveryRows deliveries,
      WebhookKey key,
      AuditLog audit,
      WebhookSettings settings) {
    this.webhooks = webhooks;
    this.deliveries = deliveries;
    this.key = key;
    this.audit = audit;
    this.settings = settings;
  }

  /// What is asked for.
  ///
  /// @param url empty: it is for runs that name URLs of their own
  /// @param graphs as rows have them; empty: all
  public record NewWebhook(
      Optional<String> url, Set<String> events, List<String> graphs, String description) {}

  public WebhookWithSecret make(NewWebhook wanted) {
    var made = key.make();
    var webhook =
        new Webhook(
            ids.generate().toString(),
            Tenant.current(),
            wanted.url(),
            wanted.events(),
            wanted.graphs(),
            wanted.description(),
            false,
            Optional.empty(),
            Instant.EPOCH,
            Optional.empty());
    try {
      return audit.recorded(
          AuditAction.WEBHOOK_CREATE,
          () -> {
            if (!webhooks.insert(webhook, made.stored(), settings.max())) {
              throw new ServiceException(
                  ErrorCode.LIMIT_EXCEEDED,
                  "there are %d webhooks, which is all that there may be"
                      .formatted(settings.max()));
            }
            return new WebhookWithSecret(get(webhook.id()), made.secret().text());
          },
          it -> it.webhook().id());
    } catch (DuplicateKeyException _) {
      throw new ServiceException(ErrorCode.CONFLICT, "there is a webhook for URLs of runs already");
    }
  }

  public List<Webhook> list() {
    return webhooks.list(Tenant.current());
  }

  public Webhook get(String id) {
    return webhooks.find(Tenant.current(), id).orElseThrow(() -> unknown(id));
  }

  private static ServiceException unknown(String id) {
    return new ServiceException(
        ErrorCode.WEBHOOK_NOT_FOUND, "there is no webhook '%s'".formatted(id));
  }

  /// Null: as it is.
  public Webhook update(
      String id, @Nullable String url, @Nullable String description, @Nullable Boolean paused) {
    var webhook = get(id);
    if (url != null && webhook.url().isEmpty()) {
      throw ServiceException.at(
          "/url", ErrorCode.INVALID_VALUE, "this webhook is for URLs that runs name");
    }
    return audit.recorded(
        AuditAction.WEBHOOK_UPDATE,
        () -> {
          if (!webhooks.update(webhook, url, description, paused)) {
            throw unknown(id);
          }
          if (url != null || Boolean.FALSE.equals(paused)) {
            deliveries.hurry(DeliveryRows.receiver(id, ""), settings.lease());
          }
          return get(id);
        },
        Webhook::id);
  }

  /// @param overlap for how long deliveries are signed with the secret that it has now, too
  public WebhookWithSecret rotate(String id, Duration overlap) {
    var webhook = get(id);
    var made = key.make();
    return audit.recorded(
        AuditAction.WEBHOOK_ROTATE,
        () -> {
          if (!webhooks.rotate(webhook, made.stored(), overlap)) {
            throw new ServiceException(
                ErrorCode.CONFLICT,
                "webhook '%s' still has two secrets; an overlap of 0s makes another one the only one"
                    .formatted(id));
          }
          return new WebhookWithSecret(get(id), made.secret().text());
        },
        it -> it.webhook().id());
  }

  /// Nothing is sent to it any more; its deliveries are deleted by and by.
  public void delete(String id) {
    var webhook = get(id);
    audit.recorded(
        AuditAction.WEBHOOK_DELETE,
        id,
        () -> {
          if (!webhooks.delete(webhook)) {
            throw unknown(id);
          }
        });
  }

  /// Newest first.
  ///
  /// @param before the id behind which to begin
  public List<WebhookDelivery> deliveries(
      String id, Optional<DeliveryStatus> status, Optional<String> before, int limit) {
    return deliveries.list(get(id).id(), status, before, limit);
  }

  public WebhookDelivery delivery(String webhook, String id) {
    return deliveries
        .find(get(webhook).id(), id)
        .orElseThrow(() ->
            new ServiceException(
                ErrorCode.DELIVERY_NOT_FOUND, "there is no delivery '%s'".formatted(id)));
  }

  /// Sends a delivery anew, under its id.
  public WebhookDelivery replay(String webhook, String id) {
    var delivery = delivery(webhook, id);
    audit.recorded(
        AuditAction.DELIVERY_REPLAY,
        id,
        () -> deliveries.replay(webhook, Optional.of(delivery.id()), settings.giveUpAfter(), 1));
    return delivery(webhook, id);
  }

  /// Sends what was given up anew, the oldest first.
  ///
  /// @return how many; the same call has more of them sent if there are
  public int replayAll(String webhook) {
    var known = get(webhook);
    return audit.recorded(
        AuditAction.DELIVERY_REPLAY,
        () -> deliveries.replay(known.id(), Optional.empty(), settings.giveUpAfter(), REPLAYED_MAX),
        _ -> webhook);
  }

  /// Makes sure that the runs of the tenant may name URLs.
  ///
  /// @throws ServiceException if there is no webhook that signs what is sent to them
  public void require(RunWebhooks wanted) {
    if (!wanted.targets().isEmpty() && list().stream().allMatch(it -> it.url().isPresent())) {
      throw ServiceException.at(
          "/webhooks",
          ErrorCode.INVALID_VALUE,
          "nothing signs what is sent to URLs of runs; make a webhook without url first");
    }
  }
}
