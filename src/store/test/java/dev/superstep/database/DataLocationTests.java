package dev.superstep.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class DataLocationTests {

  /// The settings of the embedded database are bound in every service.
  @Test
  void namesTheServerThatIsUsedWithoutItsPassword() {
    new ApplicationContextRunner()
        .withBean(DatabaseProperties.class, () -> new DatabaseProperties(Path.of("data")))
        .withBean(JdbcConnectionDetails.class, ServerOfOnesOwn::new)
        .withBean(DataLocation.class)
        .run(context ->
            assertThat(context.getBean(DataLocation.class).description())
                .isEqualTo("jdbc:postgresql://db.example:5432/superstep"));
  }

  private static final class ServerOfOnesOwn implements JdbcConnectionDetails {
    @Override
    public String getUsername() {
      return "superstep";
    }

    @Override
    public String getPassword() {
      return "secret";
    }

    @Override
    public String getJdbcUrl() {
      return "jdbc:postgresql://superstep:secret@db.example:5432/superstep?password=secret";
    }
  }
}
