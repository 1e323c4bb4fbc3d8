package dev.superstep.starter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.superstep.starter.EmbeddedService.ApplicationDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;

class ApplicationDatabaseTests {

  private record Details(String url) implements JdbcConnectionDetails {
    @Override
    public String getUsername() {
      return "ada";
    }

    @Override
    public String getPassword() {
      return "secret";
    }

    @Override
    public String getJdbcUrl() {
      return url;
    }
  }

  @ParameterizedTest
  @CsvSource({
    "jdbc:postgresql://h/d, jdbc:postgresql://h/d?currentSchema=own",
    "jdbc:postgresql://h/d?ssl=true, jdbc:postgresql://h/d?ssl=true&currentSchema=own",
    "jdbc:postgresql://h/d?currentSchema=theirs&ssl=true,"
        + " jdbc:postgresql://h/d?currentSchema=own&ssl=true",
    "jdbc:postgresql://h/d?ssl=true&currentSchema=a,"
        + " jdbc:postgresql://h/d?ssl=true&currentSchema=own"
  })
  void hasASchemaOfItsOwn(String theirs, String own) {
    var database = new ApplicationDatabase(new Details(theirs), "own");

    assertThat(database.getJdbcUrl()).isEqualTo(own);
    assertThat(database.getUsername()).isEqualTo("ada");
    assertThat(database.getPassword()).isEqualTo("secret");
  }

  @Test
  void saysThatItNeedsPostgresqlWithoutShowingTheUrl() {
    assertThatIllegalStateException()
        .isThrownBy(() -> new ApplicationDatabase(new Details("jdbc:h2:mem:x;PASSWORD=s"), "own"))
        .withMessage(
            "Superstep needs PostgreSQL, and the application's database is another: jdbc:h2:");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Own", "a b", "x&user=y", "1a"})
  void refusesWhatNamesNoSchema(String name) {
    assertThatIllegalStateException()
        .isThrownBy(() -> new ApplicationDatabase(new Details("jdbc:postgresql://h/d"), name))
        .withMessageContaining("superstep.embedded.schema");
  }

  @Test
  void saysWhatToDoWithoutADatabase() {
    assertThatIllegalStateException()
        .isThrownBy(() -> ApplicationDatabase.of(new StaticListableBeanFactory(), "own"))
        .withMessageContaining("spring.datasource.url");
  }
}
