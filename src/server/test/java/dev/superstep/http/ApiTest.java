package dev.superstep.http;

import dev.superstep.SuperstepApplication;
import dev.superstep.database.TestDatabase;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.annotation.Import;

/// A test that talks to the whole service over HTTP, on a real PostgreSQL. All of them share one
/// service, which is started once: name what you create.
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@SpringBootTest(
    classes = SuperstepApplication.class,
    webEnvironment = WebEnvironment.RANDOM_PORT,
    properties = {
      "management.server.port=0",
      "superstep.params.api-params.greeting=Hello",
      "superstep.params.api-params.tries=3",
      "superstep.params.api-params-child.word=from the operator",
      "superstep.params.api-params-broken.tries=many"
    })
@Import(TestDatabase.class)
public @interface ApiTest {}
