package dev.superstep.langgraph.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.http.ApiTest;
import dev.superstep.langgraph.FaceClient;
import dev.superstep.run.EventView;
import dev.superstep.run.RunWatch;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/// When other replicas learn that texts of a run are kept here.
@ApiTest
@Import(KeptTextsApiTests.Announced.class)
class KeptTextsApiTests {
  private static final String RESTS =
      """
      name: lg-kept
      nodes:
        - { id: rest, type: wait, config: { for: 1s } }
      edges:
        - { from: __start__, to: rest }
      """;

  private static final String CALL =
      "{\"assistant_id\": \"lg-kept\", \"input\": {}, \"multitask_strategy\": \"enqueue\"}";

  @LocalServerPort private int port;
  @Autowired private Announced announced;
  private FaceClient face = new FaceClient(0);
  private String runs = "";

  @BeforeEach
  void connects() {
    face = new FaceClient(port);
    face.graph(RESTS);
    runs = "/threads/" + face.post("/threads", "{}").ok().at("/thread_id") + "/runs";
  }

  /// Another replica may claim it as soon as it is there.
  @Test
  void tellsOthersBeforeARunThatWaitsForItsThreadIsStored() {
    face.post(runs, CALL).ok();

    var run = face.post(runs, CALL).ok().at("/run_id");

    assertThat(announced.of(run)).startsWith(When.BEFORE_THE_COMMIT);
  }

  @Test
  void tellsOthersBeforeARunWithoutAThreadIsStored() {
    var run = face.post("/runs", CALL).ok().at("/run_id");

    assertThat(announced.of(run)).startsWith(When.BEFORE_THE_COMMIT);
  }

  /// It does not leave this replica, for as long as nothing else is said.
  @Test
  void tellsNobodyOfARunThatBeginsHere() {
    var run = face.post(runs, CALL).ok().at("/run_id");

    assertThat(announced.of(run)).isEmpty();
  }

  /// When others are told.
  enum When {
    BEFORE_THE_COMMIT,
    LATER
  }

  /// Notes when others are told of which run.
  @TestConfiguration(proxyBeanMethods = false)
  static class Announced {
    private final Queue<Announcement> all = new ConcurrentLinkedQueue<>();

    private record Announcement(String run, When when) {}

    List<When> of(String run) {
      return all.stream().filter(it -> it.run().equals(run)).map(Announcement::when).toList();
    }

    private void add(String run, JdbcClient jdbc) {
      boolean before =
          TransactionSynchronizationManager.isActualTransactionActive()
              || jdbc.sql("select 1 from run where id = ?")
                  .param(run)
                  .query()
                  .listOfRows()
                  .isEmpty();
      all.add(new Announcement(run, before ? When.BEFORE_THE_COMMIT : When.LATER));
    }

    @Bean
    static BeanPostProcessor watches(
        ObjectProvider<Announced> announced, ObjectProvider<JdbcClient> jdbc) {
      return new BeanPostProcessor() {
        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
          return bean instanceof RunWatch watch
              ? new NotedWatch(watch, it -> announced.getObject().add(it, jdbc.getObject()))
              : bean;
        }
      };
    }
  }

  private record NotedWatch(RunWatch watch, Consumer<String> announced) implements RunWatch {
    @Override
    public void awaitRest(String run, BooleanSupplier unwanted, Duration atMost)
        throws InterruptedException {
      watch.awaitRest(run, unwanted, atMost);
    }

    @Override
    public void awaitEvents(String run, long seq, BooleanSupplier unwanted, Duration atMost)
        throws InterruptedException {
      watch.awaitEvents(run, seq, unwanted, atMost);
    }

    @Override
    public void lookAgain(String run) {
      watch.lookAgain(run);
    }

    @Override
    public Subscription listen(String run, Consumer<EventView> listener) {
      return watch.listen(run, listener);
    }

    @Override
    public Subscription keepTexts(String run) {
      var kept = watch.keepTexts(run);
      return new Subscription() {
        @Override
        public void renew() {
          announced.accept(run);
          kept.renew();
        }

        @Override
        public void close() {
          kept.close();
        }
      };
    }
  }
}
