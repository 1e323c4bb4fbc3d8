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
    properties = "spring.config.name=" + RunsAlone.SETTINGS)
@Import({TestDatabase.class, RunTestParts.class})
public @interface RunTest {}
