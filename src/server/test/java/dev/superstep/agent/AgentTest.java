package dev.superstep.agent;

import dev.superstep.SuperstepApplication;
import dev.superstep.database.TestDatabase;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.annotation.Import;

/// The whole service on a real PostgreSQL, with a scripted model and tools that count. All of these
/// tests share one service: name what you create.
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@SpringBootTest(
    classes = SuperstepApplication.class,
    webEnvironment = WebEnvironment.RANDOM_PORT,
    properties = {
      "management.server.port=0",
      "superstep.egress.allow=127.0.0.1:*",
      "superstep.tools.at-most-once=transfer,shaky",
      "superstep.tools.result-max=2KB",
      "superstep.tools.calls-max=40",
      "superstep.tools.policies[0].tools=pay",
      "superstep.tools.policies[0].graphs=policy-*",
      "superstep.tools.policies[0].calls-per-message-max=3",
      "superstep.tools.policies[0].calls-per-run-max=4",
      "superstep.tools.policies[0].condition=input.arguments.amount <= 100",
      "superstep.tools.policies[1].tools=delete*",
      "superstep.tools.policies[1].approval=other-than-starter",
      "superstep.models.scripted.api-key=property:agent-test.key",
      "superstep.models.scripted.model=scripted-1",
      "superstep.default-model=scripted",
      "superstep.currency=EUR",
      "superstep.models.with-price.provider=stub",
      "superstep.models.with-price.model=with-price-1",
      "superstep.models.with-price.prices.input=0.1",
      "superstep.models.with-price.prices.output=0.2",
      "superstep.models.with-price.script[0].when.user=once more",
      "superstep.models.with-price.script[0].times=1",
      "superstep.models.with-price.script[0].error.status=503",
      "superstep.models.with-price.script[1].when.user=busy",
      "superstep.models.with-price.script[1].times=1",
      "superstep.models.with-price.script[1].error.status=503",
      "superstep.models.with-price.script[2].say=fine",
      "superstep.models.with-price.script[2].usage.input=1",
      "superstep.models.with-price.script[2].usage.output=1",
      "superstep.models.without-price.provider=stub",
      "superstep.models.without-price.model=without-price-1",
      "superstep.models.without-price.script[0].say=fine",
      "superstep.models.unsound.provider=stub",
      "superstep.models.unsound.model=unsound-1",
      "superstep.models.unsound.script[0].error.status=503",
      "superstep.models.with-cache.provider=anthropic",
      "superstep.models.with-cache.model=claude-stub",
      "superstep.models.with-cache.prices.input=4",
      "superstep.models.with-cache.prices.output=0",
      "superstep.models.with-cache.prices.cached-input=0.4",
      "superstep.models.guarded.provider=stub",
      "superstep.models.guarded.model=guarded-1",
      "superstep.models.guarded.script[0].say=fine",
      "superstep.models.guarded.graphs=guarded-*",
      "superstep.budgets.calls.graph=broke-calls",
      "superstep.budgets.calls.window=day",
      "superstep.budgets.calls.model-calls=1",
      "superstep.budgets.child.graph=broke-child",
      "superstep.budgets.child.model-calls=1",
      "superstep.budgets.child.per=caller",
      "superstep.budgets.money.graph=broke-money",
      "superstep.budgets.money.money=0.0003",
      "superstep.tracing.enabled=true",
      "superstep.secrets.canary.reference=property:agent-test.key",
      "superstep.secrets.canary.hosts=http://127.0.0.1:*",
      "superstep.secrets.guarded.reference=property:agent-test.key",
      "superstep.secrets.guarded.hosts=http://127.0.0.1:*",
      "superstep.secrets.guarded.graphs=guarded-*",
      "agent-test.key=" + AgentTest.CANARY
    })
@Import({TestDatabase.class, AgentTestParts.class})
public @interface AgentTest {
  /// The key of the model: it must be found nowhere but in the requests to it.
  String CANARY = "canary-5f1c09";
}
