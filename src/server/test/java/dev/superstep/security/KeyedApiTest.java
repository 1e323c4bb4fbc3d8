package dev.superstep.security;

import dev.superstep.database.TestDatabase;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.annotation.Import;

/// A test of a service with API keys. All of them share one service.
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@SpringBootTest(
    webEnvironment = WebEnvironment.RANDOM_PORT,
    properties = {
      "superstep.api-keys=alpha,beta,epsilon,zeta",
      "superstep.callers.runs-max=3",
      "superstep.callers.streams-max=1",
      "superstep.callers.stored-max=2MB",
      "management.endpoints.web.exposure.include=health,info,prometheus,metrics,env",
      // as behind a proxy
      "server.forward-headers-strategy=native",
      "superstep.cors.origins=https://console.example,http://localhost:5173"
    })
@Import(TestDatabase.class)
@interface KeyedApiTest {}
