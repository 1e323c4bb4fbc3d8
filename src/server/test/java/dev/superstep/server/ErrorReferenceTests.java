package dev.superstep.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.problem.ErrorCode;
import java.io.IOException;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// A page for each code that the service sends, and a list of them, which this test builds
/// ([Pages]).
class ErrorReferenceTests {
  private static final String FOLDER = "errors";
  private final List<Explanation> codes = new ErrorCatalog().all();

  @Test
  void explainsEveryCodeThatTheServiceSends() throws IOException {
    var sent = new TreeSet<>(SentCodes.find().keySet());
    Stream.of(ErrorCode.values()).map(ErrorCode::code).forEach(sent::add);

    assertThat(codes)
        .as("each code has an entry in problems/codes.yaml, and each entry is sent")
        .extracting(Explanation::code)
        .containsExactlyInAnyOrderElementsOf(sent);
  }

  @Test
  void saysWhatAnswersHaveAsAWhole() {
    assertThat(codes)
        .allSatisfy(it ->
            assertThat(it.found().contains(CodeSource.REQUEST))
                .isEqualTo(ErrorCode.find(it.code()).isPresent()));
    assertThat(ErrorCode.values())
        .allSatisfy(it ->
            assertThat(new ErrorCatalog().find(it.code()).orElseThrow().status())
                .hasValue(it.status().value()));
  }

  @Test
  void saysWhatToDo() {
    assertThat(codes)
        .allSatisfy(it -> {
          assertThat(it.what()).isNotBlank().endsWith(".");
          assertThat(it.causes()).isNotEmpty().allMatch(cause -> cause.endsWith("."));
          assertThat(it.remedy()).isNotBlank().endsWith(".");
          assertThat(it.found()).isNotEmpty();
        });
  }

  @Test
  void explainsCodesThatBeginAlike() {
    var known = new ErrorCatalog();
    assertThat(known.find("http_503")).map(Explanation::code).hasValue("http_*");
    assertThat(known.find("http_unreachable")).map(Explanation::code).hasValue("http_unreachable");
    assertThat(known.find("sold_out")).isEmpty();
  }

  @Test
  void writesAPageOfEachCode() throws IOException {
    var pages = new LinkedHashMap<String, String>();
    pages.put("reference/errors.md", index());
    codes.forEach(it -> pages.put("reference/%s/%s".formatted(FOLDER, file(it)), page(it)));
    Pages.write(pages);
  }

  static String file(Explanation code) {
    return code.code().replace("*", "status") + ".md";
  }

  private static String page(Explanation code) {
    return """
    # `%s`

    %s

    Found %s.%s

    ## Usual causes

    %s

    ## What to do

    %s

    ## Example

    ```json
    %s
    ```

    [All codes](../errors.md)
    """
        .formatted(
            code.code().replace("*", "<status>"),
            code.what(),
            code.found().stream().map(CodeSource::text).collect(Collectors.joining("; ")),
            code.status()
                .map(it -> " As a whole answer, its status is %d.".formatted(it))
                .orElse(""),
            code.causes().stream().map(it -> "* " + it).collect(Collectors.joining("\n")),
            code.remedy(),
            Pages.pretty(code.example()));
  }

  private String index() {
    return """
    # Error codes

    Every failure has a code that does not change: compare codes, show messages. A page each says what has happened, the usual causes, and what to do.

    The service explains its codes, too. A problem document has `type`, `urn:superstep:problem:` and the code, which is made to be compared, and `help`, the path at which the service explains it:

    ```sh
    curl -sS $BASE/v1/error-codes/thread_busy
    ```

    `GET /v1/error-codes` lists all of them. Neither needs an API key. Codes of `fail` nodes, of functions in Java and of web services (a problem document's `code`) are their authors' own.

    %s\
    """
        .formatted(
            Stream.of(CodeSource.values()).map(this::section).collect(Collectors.joining("\n")));
  }

  private String section(CodeSource source) {
    boolean answers = source == CodeSource.REQUEST;
    var rows =
        codes.stream()
            .filter(it -> it.found().contains(source))
            .sorted(
                Comparator.comparingInt((Explanation it) -> answers ? it.status().orElse(0) : 0)
                    .thenComparing(Explanation::code))
            .map(it -> row(it, answers))
            .collect(Collectors.joining());
    return "## %s\n\n%s\n%s%s"
        .formatted(
            TITLES.get(source),
            answers ? "| code | status | means |" : "| code | means |",
            answers ? "|---|---|---|\n" : "|---|---|\n",
            rows);
  }

  private static String row(Explanation code, boolean answers) {
    return "| [`%s`](%s/%s) |%s %s |\n"
        .formatted(
            code.code(),
            FOLDER,
            file(code),
            answers ? " " + code.status().map(String::valueOf).orElse("") + " |" : "",
            Pages.cell(code.what()));
  }

  private static final Map<CodeSource, String> TITLES =
      Map.of(
          CodeSource.REQUEST, "Refused requests",
          CodeSource.DEFINITION, "Errors of definitions and fields",
          CodeSource.WARNING, "Warnings of definitions",
          CodeSource.RUN, "Failed runs and tasks",
          CodeSource.TEST, "Tests in definitions",
          CodeSource.TOOL, "Tool calls");
}
