package dev.superstep.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.superstep.database.TestDatabase;
import dev.superstep.memory.ItemCondition.Comparison;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Against the real database.
@SpringBootTest(
    properties = {
      "superstep.memory.items-max=50",
      "superstep.memory.value-max=1KB",
      "superstep.memory.answer-max=2KB"
    })
@Import(TestDatabase.class)
class MemoryTests {
  private static final Namespace ANA = new Namespace(List.of("users", "ana"));

  @Autowired private Memory memory;
  @Autowired private MemoryPurge purge;
  @Autowired private JdbcClient jdbc;

  @BeforeEach
  void empties() {
    jdbc.sql("truncate memory_item").update();
  }

  @Test
  void findsWhatWasWritten() {
    put(ANA, "food", ObjectValue.of("likes", Value.of("pizza")));

    var item = memory.find(ANA, "food", true).orElseThrow();
    assertThat(item.namespace()).isEqualTo(ANA);
    assertThat(item.key()).isEqualTo("food");
    assertThat(item.value()).isEqualTo(ObjectValue.of("likes", Value.of("pizza")));
    assertThat(item.updatedAt()).isEqualTo(item.createdAt());
  }

  @Test
  void replacesTheValueAndKeepsTheTimeOfItsMaking() {
    put(ANA, "food", ObjectValue.of("likes", Value.of("pizza")));
    var first = memory.find(ANA, "food", true).orElseThrow();
    put(ANA, "food", ObjectValue.of("likes", Value.of("soup")));

    var second = memory.find(ANA, "food", true).orElseThrow();
    assertThat(second.value()).isEqualTo(ObjectValue.of("likes", Value.of("soup")));
    assertThat(second.createdAt()).isEqualTo(first.createdAt());
    assertThat(second.updatedAt()).isAfter(first.updatedAt());
  }

  @Test
  void forgetsWhatIsDeleted() {
    put(ANA, "food", ObjectValue.empty());
    memory.delete(ANA, "food");
    memory.delete(ANA, "never there");

    assertThat(memory.find(ANA, "food", true)).isEmpty();
  }

  @Test
  void findsNothingThatHasExpiredAndPurgesIt() {
    memory.put(new ItemWrite(ANA, "short", ObjectValue.empty(), ttl(Duration.ofMillis(50))));
    memory.put(new ItemWrite(ANA, "long", ObjectValue.empty(), ttl(Duration.ofHours(1))));
    put(ANA, "ever", ObjectValue.empty());

    await().until(() -> memory.find(ANA, "short", false).isEmpty());
    assertThat(keys(all(new Namespace(List.of())))).containsExactly("ever", "long");
    purge.purge();
    assertThat(jdbc.sql("select count(*) from memory_item").query(Integer.class).single())
        .isEqualTo(2);
  }

  @Test
  void livesOnFromAReadUnlessItSaysNot() {
    memory.put(new ItemWrite(ANA, "food", ObjectValue.empty(), ttl(Duration.ofHours(1))));
    jdbc.sql("update memory_item set expires_at = clock_timestamp() + interval '1 minute'")
        .update();

    memory.find(ANA, "food", false);
    assertThat(minutesLeft()).isZero();
    memory.find(ANA, "food", true);
    assertThat(minutesLeft()).isEqualTo(59);
    jdbc.sql("update memory_item set expires_at = clock_timestamp() + interval '1 minute'")
        .update();
    memory.search(new ItemSearch(ANA, List.of(), 10, 0, true));
    assertThat(minutesLeft()).isEqualTo(59);
  }

  private int minutesLeft() {
    return jdbc.sql(
            "select floor(extract(epoch from expires_at - clock_timestamp()) / 60) from"
                + " memory_item")
        .query(Integer.class)
        .single();
  }

  @Test
  void beginsAnewWithAnItemThatHadExpired() {
    memory.put(new ItemWrite(ANA, "food", ObjectValue.empty(), ttl(Duration.ofHours(1))));
    jdbc.sql(
            """
            update memory_item set created_at = now() - interval '2 hours',
                   expires_at = now() - interval '1 hour'
            """)
        .update();
    put(ANA, "food", ObjectValue.empty());

    var item = memory.find(ANA, "food", true).orElseThrow();
    assertThat(item.createdAt()).isEqualTo(item.updatedAt());
  }

  @Test
  void searchesWithinANamespaceNewestFirst() {
    put(ANA, "a", ObjectValue.empty());
    put(new Namespace(List.of("users", "ana", "notes")), "b", ObjectValue.empty());
    put(new Namespace(List.of("users", "anabel")), "c", ObjectValue.empty());
    put(new Namespace(List.of("users", "ana-2")), "d", ObjectValue.empty());

    assertThat(keys(all(ANA))).containsExactly("b", "a");
    assertThat(keys(all(new Namespace(List.of("users"))))).containsExactly("d", "c", "b", "a");
    assertThat(keys(memory.search(new ItemSearch(new Namespace(List.of()), List.of(), 2, 1, true))))
        .containsExactly("c", "b");
  }

  @Test
  void filtersByMembers() {
    put(ANA, "one", ObjectValue.of("n", Value.of(1L)).plus("kind", Value.of("x")));
    put(ANA, "two", ObjectValue.of("n", Value.of(2L)).plus("kind", Value.of("y")));
    put(ANA, "text", ObjectValue.of("n", Value.of("2")));
    put(ANA, "none", ObjectValue.empty());

    assertThat(found("n", Comparison.EQUAL, Value.of(2L))).containsExactly("two");
    assertThat(found("n", Comparison.NOT_EQUAL, Value.of(2L)))
        .containsExactlyInAnyOrder("one", "text", "none");
    assertThat(found("n", Comparison.GREATER, Value.of(1L))).containsExactly("two");
    assertThat(found("n", Comparison.GREATER_OR_EQUAL, Value.of(1L)))
        .containsExactlyInAnyOrder("one", "two");
    assertThat(found("n", Comparison.LESS, Value.of(2L))).containsExactly("one");
    assertThat(found("n", Comparison.LESS_OR_EQUAL, Value.of("2"))).containsExactly("text");
    assertThat(found("kind", Comparison.GREATER, Value.of("x"))).containsExactly("two");
    assertThat(found("kind", Comparison.EQUAL, Value.of("y' or true"))).isEmpty();
  }

  private List<String> found(String member, Comparison comparison, Value than) {
    var filter = List.of(new ItemCondition(member, comparison, than));
    return keys(memory.search(new ItemSearch(ANA, filter, 10, 0, true)));
  }

  @Test
  void listsNamespacesByTheirLabels() {
    put(ANA, "a", ObjectValue.empty());
    put(new Namespace(List.of("users", "bob", "notes")), "b", ObjectValue.empty());
    put(
        new Namespace(List.of("users", "bob", "notes.x".replace(".", "+"))),
        "c",
        ObjectValue.empty());
    put(new Namespace(List.of("shop")), "d", ObjectValue.empty());

    assertThat(namespaces(List.of(), List.of(), OptionalInt.empty()))
        .containsExactly("shop", "users.ana", "users.bob.notes", "users.bob.notes+x");
    assertThat(namespaces(List.of("users"), List.of(), OptionalInt.of(2)))
        .containsExactly("users.ana", "users.bob");
    assertThat(namespaces(List.of("user"), List.of(), OptionalInt.empty())).isEmpty();
    assertThat(namespaces(List.of("users", "*"), List.of("notes"), OptionalInt.empty()))
        .containsExactly("users.bob.notes");
    assertThat(namespaces(List.of(), List.of("notes+x"), OptionalInt.empty()))
        .containsExactly("users.bob.notes+x");
  }

  private List<String> namespaces(List<String> prefix, List<String> suffix, OptionalInt depth) {
    return memory.namespaces(new NamespaceSearch(prefix, suffix, depth, 100, 0)).stream()
        .map(Namespace::text)
        .toList();
  }

  @Test
  void refusesWhatExceedsABound() {
    var large = ObjectValue.of("text", Value.of("x".repeat(1_100)));
    assertRefused(() -> put(ANA, "large", large), ErrorCode.LIMIT_EXCEEDED, "/value");
    assertRefused(
        () -> put(new Namespace(List.of()), "k", ObjectValue.empty()),
        ErrorCode.INVALID_VALUE,
        "/namespace");
    assertRefused(() -> put(ANA, "", ObjectValue.empty()), ErrorCode.INVALID_VALUE, "/key");
    assertRefused(
        () -> memory.search(new ItemSearch(ANA, List.of(), 1_001, 0, true)),
        ErrorCode.INVALID_VALUE,
        "/limit");
    assertRefused(
        () -> Namespace.of(List.of("a", "b.c"), "/namespace"),
        ErrorCode.INVALID_VALUE,
        "/namespace/1");

    for (int i = 0; i < 3; i++) {
      put(ANA, "k" + i, ObjectValue.of("text", Value.of("x".repeat(900))));
    }
    assertRefused(() -> all(ANA), ErrorCode.LIMIT_EXCEEDED, "/limit");
    assertThat(memory.search(new ItemSearch(ANA, List.of(), 2, 0, true))).hasSize(2);
  }

  @Test
  void refusesMoreItemsThanItMayKeep() {
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 1_000; i++) {
                put(ANA, "k" + i, ObjectValue.empty());
              }
            })
        .isInstanceOfSatisfying(
            ServiceException.class,
            it -> assertThat(it.code()).isEqualTo(ErrorCode.STORAGE_QUOTA_EXCEEDED));
    assertThat(jdbc.sql("select count(*) from memory_item").query(Integer.class).single())
        .isLessThanOrEqualTo(50);
  }

  private void put(Namespace namespace, String key, ObjectValue value) {
    memory.put(new ItemWrite(namespace, key, value, Optional.empty()));
  }

  private List<MemoryItem> all(Namespace prefix) {
    return memory.search(new ItemSearch(prefix, List.of(), 100, 0, true));
  }

  private static List<String> keys(List<MemoryItem> items) {
    return items.stream().map(MemoryItem::key).toList();
  }

  private static Optional<Duration> ttl(Duration duration) {
    return Optional.of(duration);
  }

  private static void assertRefused(Runnable call, ErrorCode code, String pointer) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(
            ServiceException.class,
            it -> {
              assertThat(it.code()).isEqualTo(code);
              assertThat(it.errors().getFirst().pointer()).isEqualTo(pointer);
            });
  }
}
