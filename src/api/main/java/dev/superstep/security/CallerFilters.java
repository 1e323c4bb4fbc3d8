package dev.superstep.security;

import dev.superstep.database.TenantSettings;
import dev.superstep.http.ProblemWriter;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.access.intercept.AuthorizationFilter;
import org.springframework.stereotype.Component;

/// The filters behind the check of a key: whose request it is, and whether it comes too soon.
@Component
@EnableConfigurationProperties(RateSettings.class)
class CallerFilters {
  private final TenantSettings tenants;
  private final RequestRates rates;
  private final ProblemWriter problems;

  CallerFilters(TenantSettings tenants, RateSettings rates, ProblemWriter problems) {
    this.tenants = tenants;
    this.rates = new RequestRates(rates, System::nanoTime);
    this.problems = problems;
  }

  void addTo(HttpSecurity http) {
    http.addFilterAfter(new TenantFilter(tenants), AuthorizationFilter.class);
    if (rates.isBounded()) {
      http.addFilterAfter(new RateFilter(rates, problems), TenantFilter.class);
    }
  }
}
