package dev.superstep.checkpoint;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.test.context.SpringBootTest;

/// A test of the package with a real database. Hibernate checks the mapping of every table against
/// the migration. All of them share one database, so each makes runs of its own.
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@SpringBootTest(
    classes = StoreTestConfiguration.class,
    webEnvironment = SpringBootTest.WebEnvironment.NONE,
    properties = {"spring.jpa.hibernate.ddl-auto=validate", "superstep.store.patience=1500ms"})
public @interface StoreTest {}
