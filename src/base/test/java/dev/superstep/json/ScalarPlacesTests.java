package dev.superstep.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.json.ScalarPlace.LinePosition;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Keys and values are found where they stand; what is missing, where it should be added.
class ScalarPlacesTests {
  private static final String YAML =
      """
      # a comment
      name: ask
      nodes:
        - id: é
          config: { 😀: 1, url: x }
        - &two
          id: b
          a/b: [1, 2]
        - *two
      """;
  private static final String JSON =
      """
      {"name": "ask",
       "nodes": [{"id": "😀", "config": {"url": 1}}, {"a/b": [1, 2]}]}
      """;

  @ParameterizedTest
  @CsvSource({
    "'',                    2:1, 2:1",
    "/name,                 2:1, 2:7",
    "/nodes,                3:1, 3:1",
    "/nodes/0,              4:5, 4:5",
    "/nodes/0/id,           4:5, 4:9",
    "/nodes/0/config,       5:5, 5:5",
    "/nodes/0/config/url,   5:21, 5:26",
    "/nodes/0/config/extra, 5:5, 5:5",
    "/nodes/0/config/a/b/c, 5:5, 5:5",
    "/nodes/1/a~1b/1,       8:14, 8:14",
    "/nodes/2,              9:5, 9:5",
    "/nodes/2/id,           9:5, 9:5",
    "/nodes/7,              3:1, 3:1",
    "/other,                2:1, 2:1"
  })
  void findsKeysAndValuesInYaml(String pointer, String key, String value) {
    var places = ScalarPlaces.ofYaml(YAML, Set.of(pointer));
    assertThat(shown(places.key(pointer).orElseThrow())).isEqualTo(key);
    assertThat(shown(places.around(pointer).orElseThrow())).isEqualTo(value);
  }

  @ParameterizedTest
  @CsvSource({
    "'',                  1:1, 1:1",
    "/name,               1:2, 1:10",
    "/nodes/0,            2:12, 2:12",
    "/nodes/0/id,         2:13, 2:19",
    "/nodes/0/config/url, 2:35, 2:42",
    "/nodes/1/a~1b/0,     2:56, 2:56",
    "/nodes/0/type,       2:12, 2:12"
  })
  void findsKeysAndValuesInJson(String pointer, String key, String value) {
    var places = ScalarPlaces.ofJson(JSON, Set.of(pointer));
    assertThat(shown(places.key(pointer).orElseThrow())).isEqualTo(key);
    assertThat(shown(places.around(pointer).orElseThrow())).isEqualTo(value);
  }

  @ParameterizedTest
  @CsvSource({"/a, 1:3, 1:8"})
  void countsAByteOrderMark(String pointer, String key, String value) {
    var places = ScalarPlaces.ofJson("\uFEFF{\"a\": 1}", Set.of(pointer));
    assertThat(shown(places.key(pointer).orElseThrow())).isEqualTo(key);
    assertThat(shown(places.around(pointer).orElseThrow())).isEqualTo(value);
  }

  private static String shown(LinePosition position) {
    return position.line() + ":" + position.column();
  }
}
