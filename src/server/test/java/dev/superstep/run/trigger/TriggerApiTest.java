package dev.superstep.run.trigger;

import dev.superstep.SuperstepApplication;
import dev.superstep.database.TestDatabase;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.annotation.Import;

/// A server with keys, tenants and secrets of senders, which its tests share.
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@SpringBootTest(
    classes = SuperstepApplication.class,
    webEnvironment = WebEnvironment.RANDOM_PORT,
    properties = {
      "management.server.port=0",
      "superstep.api-keys=alpha",
      "superstep.tenants.enabled=true",
      "superstep.hooks.body-max=10KB",
      "hook-test.secret=It's a Secret to Everybody",
      "superstep.secrets.github.reference=property:hook-test.secret",
      "superstep.secrets.github.hosts=api.github.com",
      "superstep.secrets.gone.reference=property:hook-test.gone",
      "superstep.secrets.gone.hosts=api.github.com"
    })
@Import(TestDatabase.class)
@interface TriggerApiTest {}
