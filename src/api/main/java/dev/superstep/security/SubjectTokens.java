package dev.superstep.security;

import dev.superstep.engine.run.TaskError;
import dev.superstep.engine.run.TaskFailedException;
import dev.superstep.problem.Callers;
import dev.superstep.problem.Setting;
import dev.superstep.secret.CallerTokenCodes;
import dev.superstep.secret.CallerTokens;
import dev.superstep.secret.OnBehalfOf;
import dev.superstep.secret.RunStarters;
import dev.superstep.secret.RunStarters.RunStarter;
import dev.superstep.secret.ToolsOnBehalf;
import dev.superstep.security.HeldTokens.HeldToken;
import dev.superstep.security.TokenExchange.ExchangeOutcome;
import java.time.InstantSource;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;

/// Gives tools the token of who has started a run, passed on or exchanged, if this process has it.
@Component
final class SubjectTokens implements CallerTokens {
  private final HeldTokens held;
  private final TokenExchange exchange;
  private final RunStarters starters;
  private final ApiKeys apiKeys;
  private final StoredKeys storedKeys;
  private final InstantSource clock;

  SubjectTokens(
      HeldTokens held,
      TokenExchange exchange,
      RunStarters starters,
      ApiKeys apiKeys,
      StoredKeys storedKeys,
      InstantSource clock,
      TokenCallers issuers,
      ToolsOnBehalf tools) {
    this.held = held;
    this.exchange = exchange;
    this.starters = starters;
    this.apiKeys = apiKeys;
    this.storedKeys = storedKeys;
    this.clock = clock;
    tools.bySetting().forEach((property, wanted) -> check(property, wanted, issuers));
  }

  private void check(String property, OnBehalfOf wanted, TokenCallers issuers) {
    if (issuers.isEmpty()) {
      throw new Setting(property).invalid("needs an issuer of tokens (superstep.auth.jwt)");
    }
    if (wanted.subject() == OnBehalfOf.TokenMode.EXCHANGE && exchange.isOff()) {
      throw new Setting(property)
          .invalid("needs a client that exchanges tokens (superstep.auth.exchange)");
    }
  }

  @Override
  public TokenSearch find(String run, OnBehalfOf wanted) throws InterruptedException {
    var starter = starters.starter(run);
    if (starter.isEmpty()) {
      return new TokenSearch.Unusable(CallerTokenCodes.UNAVAILABLE, "nobody knows that one");
    }
    var token = held.find(starter.get());
    return token.isPresent()
        ? find(starter.get(), token.get(), wanted)
        : missing(starter.get().caller());
  }

  private TokenSearch missing(String caller) {
    try {
      return caller.equals(Callers.EVERYBODY)
              || apiKeys.hasBearer(caller)
              || storedKeys.isKey(caller)
          ? new TokenSearch.Unusable(
              CallerTokenCodes.UNAVAILABLE, "it was started with a key, which has none")
          : new TokenSearch.Required(caller);
    } catch (DataAccessException _) {
      throw new TaskFailedException(
          TaskError.retryable(
              CallerTokenCodes.UNAVAILABLE, "it cannot be told now who has started the run"));
    }
  }

  private TokenSearch find(RunStarter starter, HeldToken token, OnBehalfOf wanted)
      throws InterruptedException {
    if (wanted.subject() == OnBehalfOf.TokenMode.EXCHANGE) {
      return exchanged(starter, token, wanted);
    }
    return token.token().audience().contains(wanted.audience())
        ? available(starter, token.token().value())
        : new TokenSearch.Unusable(
            CallerTokenCodes.REFUSED,
            "that one's is not for the audience '%s'".formatted(wanted.audience()));
  }

  private TokenSearch exchanged(RunStarter starter, HeldToken token, OnBehalfOf wanted)
      throws InterruptedException {
    var known = token.exchanged().get(wanted);
    if (known != null && known.isUsable(clock.instant())) {
      return available(starter, known.value());
    }
    return switch (exchange.exchange(token.token(), wanted)) {
      case ExchangeOutcome.TokenGiven(var given) -> {
        token.exchanged().put(wanted, given);
        yield available(starter, given.value());
      }
      case ExchangeOutcome.TokenEnded _ -> {
        held.drop(starter, token);
        yield missing(starter.caller());
      }
      case ExchangeOutcome.ExchangeRefused(var why) ->
          new TokenSearch.Unusable(CallerTokenCodes.REFUSED, why);
      case ExchangeOutcome.IssuerAway(var why) ->
          throw new TaskFailedException(
              TaskError.retryable(
                  "caller_token_exchange_failed", "a token could not be exchanged: " + why));
    };
  }

  private static TokenSearch available(RunStarter starter, String token) {
    return new TokenSearch.Available(new CallerToken(token), starter.caller(), starter.edited());
  }
}
