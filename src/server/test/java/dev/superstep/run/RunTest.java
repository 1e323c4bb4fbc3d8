package dev.superstep.run;

import dev.superstep.database.TestDatabase;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;

/// The whole service without its web server, on a database of its own, with graphs made of lambdas.
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@SpringBootTest(
    properties = {"superstep.lease=3s", "superstep.poll=50ms", "superstep.news-poll=100ms"})
@Import({TestDatabase.class, RunTestParts.class})
public @interface RunTest {}
