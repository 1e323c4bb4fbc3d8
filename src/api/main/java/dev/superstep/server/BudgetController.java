package dev.superstep.server;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.budget.BudgetState;
import dev.superstep.budget.BudgetState.Used;
import dev.superstep.budget.Budgets;
import dev.superstep.http.Listing;
import dev.superstep.http.Paged;
import dev.superstep.problem.Callers;
import dev.superstep.problem.Query;
import dev.superstep.security.ApiScope;
import dev.superstep.security.Requires;
import dev.superstep.tenant.Tenant;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/// Lists what is left of the budgets on which runs of the caller draw.
@Tag(name = "Server", description = "What this server is")
@RestController
@RequestMapping(path = "/v1/budgets", produces = MediaType.APPLICATION_JSON_VALUE)
class BudgetController {
  private final Budgets budgets;
  private final Callers callers;

  BudgetController(Budgets budgets, Callers callers) {
    this.budgets = budgets;
    this.callers = callers;
  }

  /// Of other callers and tenants no amount is shown, unless they share it.
  @Requires(ApiScope.READ)
  @Operation(operationId = "listBudgets")
  @Paged
  @GetMapping
  Listing<BudgetBody> list(Query query) {
    var page = Listing.part(budgets.accounts(Tenant.current(), callers.current()), query);
    var bodies = page.items().stream().map(budgets::state).map(BudgetBody::of).toList();
    return new Listing<>(bodies, page.nextCursor());
  }

  /// What is left of a budget in its window.
  record BudgetBody(
      String name,
      String per,
      String window,
      @JsonProperty("renews_at") Instant renewsAt,
      List<LimitBody> limits) {

    static BudgetBody of(BudgetState state) {
      var budget = state.account().budget();
      return new BudgetBody(
          budget.name(),
          budget.per().name().toLowerCase(Locale.ROOT),
          budget.unit().name().toLowerCase(Locale.ROOT),
          state.renewsAt(),
          state.used().stream().map(LimitBody::of).toList());
    }
  }

  /// One limit of a budget.
  @Schema(name = "BudgetLimit")
  record LimitBody(String what, String limit, String spent, String reserved, String left) {
    static LimitBody of(Used used) {
      return new LimitBody(
          used.what(),
          text(used.limit()),
          text(used.spent()),
          text(used.reserved()),
          text(used.left()));
    }

    private static String text(BigDecimal amount) {
      return amount.signum() == 0 ? "0" : amount.stripTrailingZeros().toPlainString();
    }
  }
}
