package dev.superstep.run;

import dev.superstep.database.TestDatabase;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.annotation.Import;

/// Runs without an API, on a database of its own, with graphs made of lambdas.
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@SpringBootTest(
    classes = RunsAlone.class,
    webEnvironment = WebEnvironment.NONE,
    properties = {
      "superstep.lease=3s",
      "superstep.poll=50ms",
      "superstep.news-poll=100ms",
      "spring.threads.virtual.enabled=true",
      "spring.datasource.hikari.pool-name=web",
      "spring.datasource.hikari.connection-timeout=2000",
      "spring.jpa.open-in-view=false",
      "spring.jpa.hibernate.ddl-auto=none",
      "spring.main.banner-mode=off",
      "logging.expect-correlation-id=false",
      "logging.level.root=warn",
      "logging.level.dev.superstep=info",
      "logging.level.com.networknt.schema=off",
      "logging.level.com.zaxxer.hikari.pool=error",
      "logging.level.org.hibernate.orm.jdbc.error=off"
    })
@Import({TestDatabase.class, RunTestParts.class})
public @interface RunTest {}
