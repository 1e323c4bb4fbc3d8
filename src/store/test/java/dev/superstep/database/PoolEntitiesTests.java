package dev.superstep.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Table;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/// Entities on the connections of the engine's pool, over a real PostgreSQL.
@SpringJUnitConfig(TestDatabase.class)
@ImportAutoConfiguration({DataSourceAutoConfiguration.class, HibernateJpaAutoConfiguration.class})
@EntityScan(basePackageClasses = PoolEntitiesTests.class)
@TestPropertySource(properties = "spring.jpa.open-in-view=false")
class PoolEntitiesTests {
  private final PoolEntities entities;
  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;
  private final EntityManagerFactory factory;

  @Entity(name = "Parcel")
  @Table(name = "parcel")
  @SuppressWarnings("UnusedVariable") // only written
  static class Parcel {
    @EmbeddedId private Key key;
    private int weightGrams;

    @Embeddable
    record Key(String city, int number) {}

    @NullUnmarked
    protected Parcel() {}

    Parcel(String city, int number, int weightGrams) {
      this.key = new Key(city, number);
      this.weightGrams = weightGrams;
    }
  }

  PoolEntitiesTests(
      @Autowired EntityManagerFactory factory,
      @Autowired @Qualifier(Pools.ENGINE) DataSource pool,
      @Autowired @Qualifier(Pools.ENGINE) JdbcClient jdbc,
      @Autowired @Qualifier(Pools.ENGINE) PlatformTransactionManager transactions) {
    this.factory = factory;
    this.entities = new PoolEntities(factory, pool);
    this.jdbc = jdbc;
    this.transaction = new TransactionTemplate(transactions);
  }

  @BeforeEach
  void table() {
    jdbc.sql("drop table if exists parcel").update();
    jdbc.sql(
            """
            create table parcel (
              city text, number int, weight_grams int, primary key (city, number))
            """)
        .update();
  }

  @Test
  void sharesTheTransactionWithOtherStatements() {
    transaction.executeWithoutResult(_ -> {
      jdbc.sql("insert into parcel values ('Bern', 1, 10)").update();
      entities.insert(List.of(new Parcel("Bern", 2, 20), new Parcel("Bern", 3, 30)));
      entities.insert(new Parcel("Bern", 4, 40));

      int changed =
          entities.run(session ->
              session
                  .createMutationQuery(
                      "update Parcel p set p.weightGrams = p.weightGrams + 1 where p.key.city ="
                          + " :city")
                  .setParameter("city", "Bern")
                  .executeUpdate());

      assertThat(changed).isEqualTo(4);
    });

    assertThat(weights()).containsExactly(11, 21, 31, 41);
  }

  @Test
  void rollsBackWithItsTransaction() {
    transaction.executeWithoutResult(status -> {
      entities.insert(new Parcel("Bern", 1, 10));
      status.setRollbackOnly();
    });

    assertThat(weights()).isEmpty();
  }

  @Test
  void refusesToWriteOutsideATransaction() {
    assertThatThrownBy(() -> entities.insert(new Parcel("Bern", 1, 10)))
        .isInstanceOf(IllegalStateException.class);
    assertThat(weights()).isEmpty();
  }

  @Test
  void failsAsOtherStatementsDo() {
    var parcel = new Parcel("Bern", 1, 10);

    assertThatThrownBy(
            () -> transaction.executeWithoutResult(_ -> entities.insert(List.of(parcel, parcel))))
        .isInstanceOf(DataIntegrityViolationException.class);
  }

  @Test
  void namesTheColumnsOfTheMapping() {
    var columns = EntityColumns.of(factory, Parcel.class);

    assertThat(columns.table()).isEqualTo("parcel");
    assertThat(columns.names()).containsExactlyInAnyOrder("city", "number", "weight_grams");
  }

  @Test
  void insertsExactlyTheColumnsOfTheMapping() {
    var columns = EntityColumns.of(factory, Parcel.class);
    var values = Map.of("city", "'Bern'", "number", "2", "weight_grams", "3");

    jdbc.sql(columns.insertSelect(values)).update();

    assertThat(weights()).containsExactly(3);
    assertThatThrownBy(() -> columns.insertSelect(Map.of("city", "'Bern'", "number", "2")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("weight_grams");
  }

  @Test
  void updatesAllOtherColumnsOfARowThatExists() {
    var columns = EntityColumns.of(factory, Parcel.class);
    for (var weight : List.of("5", "7", "6")) {
      var values = Map.of("city", "'Bern'", "number", "2", "weight_grams", weight);

      jdbc.sql(
              "%s %s where parcel.weight_grams < excluded.weight_grams"
                  .formatted(columns.insertSelect(values), columns.onConflictUpdate()))
          .update();
    }

    assertThat(weights()).containsExactly(7);
  }

  private List<Integer> weights() {
    return jdbc.sql("select weight_grams from parcel order by number")
        .query((row, _) -> row.getInt(1))
        .list();
  }
}
