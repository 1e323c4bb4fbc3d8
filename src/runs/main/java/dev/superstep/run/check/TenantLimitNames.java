package dev.superstep.run.check;

import dev.superstep.problem.Setting;
import dev.superstep.run.check.TenantLimitSettings.OwnLimits;
import java.util.Comparator;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/// Refuses what below a tenant's name is no limit: with a misspelt one the tenant would have the
/// common bound, and nobody would notice.
@Component
class TenantLimitNames {
  private static final String LIMITS = "superstep.tenants.limits";

  TenantLimitNames(Environment environment) {
    check(Binder.get(environment));
  }

  static void check(Binder binder) {
    try {
      binder.bind(
          LIMITS,
          Bindable.mapOf(String.class, OwnLimits.class),
          new NoUnboundElementsBindHandler(BindHandler.DEFAULT));
    } catch (BindException e) {
      if (e.getCause() instanceof UnboundConfigurationPropertiesException unbound) {
        throw unknown(unbound);
      }
      throw e;
    }
  }

  private static RuntimeException unknown(UnboundConfigurationPropertiesException unbound) {
    var first =
        unbound.getUnboundProperties().stream()
            .map(ConfigurationProperty::getName)
            .min(Comparator.naturalOrder())
            .orElseThrow();
    return new Setting(first.toString())
        .invalid("does not exist; a tenant may have runs-max, streams-max and stored-max");
  }
}
