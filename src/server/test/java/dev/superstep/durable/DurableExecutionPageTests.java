package dev.superstep.durable;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// The page says of the cases what [DurableExecutionIT] shows.
class DurableExecutionPageTests {
  private static final List<DurableCase> CASES = DurableCase.all();

  @Test
  void countsTheCasesOfEachSubject() throws IOException {
    var rows =
        DurableCase.SUBJECTS.stream()
            .map(subject -> "| `%s` | %d | %d |".formatted(subject, cases(subject), held(subject)))
            .collect(Collectors.joining("\n"));
    assertThat(page())
        .contains(rows + "\n| together | %d | %d |\n".formatted(CASES.size(), held("")));
  }

  @Test
  void saysWhyTheOthersDoNotHold() throws IOException {
    var reasons =
        CASES.stream()
            .filter(it -> it.differs().isPresent())
            .map(it -> "* `%s`: %s\n".formatted(it.id(), it.differs().get()))
            .collect(Collectors.joining());
    assertThat(page()).contains("\n\n" + reasons + "\n");
  }

  private static long cases(String subject) {
    return CASES.stream().filter(it -> it.subject().equals(subject)).count();
  }

  private static long held(String subject) {
    return CASES.stream()
        .filter(it -> subject.isEmpty() || it.subject().equals(subject))
        .filter(it -> it.differs().isEmpty())
        .count();
  }

  private static String page() throws IOException {
    return Files.readString(Path.of("docs/why.md"));
  }
}
