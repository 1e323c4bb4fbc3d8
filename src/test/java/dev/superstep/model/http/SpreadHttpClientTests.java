package dev.superstep.model.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.openai.core.RequestOptions;
import com.openai.core.http.Headers;
import com.openai.core.http.HttpClient;
import com.openai.core.http.HttpMethod;
import com.openai.core.http.HttpRequest;
import com.openai.core.http.HttpResponse;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SpreadHttpClientTests {
  private static final HttpRequest REQUEST =
      HttpRequest.builder().method(HttpMethod.GET).baseUrl("http://127.0.0.1").build();

  private final List<String> taken = new CopyOnWriteArrayList<>();
  private boolean broken;
  private final CountDownLatch gate = new CountDownLatch(1);
  private final List<CompletableFuture<HttpResponse>> pending = new ArrayList<>();

  private final class Named implements HttpClient {
    private final String name;

    private Named(String name) {
      this.name = name;
    }

    @Override
    public HttpResponse execute(HttpRequest request, RequestOptions options) {
      taken.add(name);
      try {
        gate.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      return new Nothing();
    }

    @Override
    public CompletableFuture<HttpResponse> executeAsync(
        HttpRequest request, RequestOptions options) {
      taken.add(name);
      if (broken) {
        throw new IllegalArgumentException("bad request");
      }
      var answer = new CompletableFuture<HttpResponse>();
      pending.add(answer);
      return answer;
    }

    @Override
    public void close() {
      taken.add(name + " closed");
    }
  }

  private static final class Nothing implements HttpResponse {
    @Override
    public int statusCode() {
      return 204;
    }

    @Override
    public Headers headers() {
      return Headers.builder().build();
    }

    @Override
    public InputStream body() {
      return InputStream.nullInputStream();
    }

    @Override
    public void close() {}
  }

  private SpreadHttpClient spread(int enough) {
    return new SpreadHttpClient(List.of(new Named("a"), new Named("b")), enough);
  }

  private static CompletableFuture<HttpResponse> begin(HttpClient http) {
    return http.executeAsync(REQUEST, RequestOptions.none());
  }

  @Test
  void staysWithTheFirstWhileItHasLittleToDo() {
    gate.countDown();
    try (var http = spread(1)) {
      for (int i = 0; i < 3; i++) {
        http.execute(REQUEST, RequestOptions.none()).close();
      }
    }

    assertThat(taken).containsExactly("a", "a", "a", "a closed", "b closed");
  }

  @Test
  void takesTheNextWhenOneHasEnoughAndTheLeastBusyWhenAllHave() {
    try (var http = spread(2)) {
      var calls = Stream.generate(() -> begin(http)).limit(6).toList();

      assertThat(taken).containsExactly("a", "a", "b", "b", "a", "b");
      pending.get(2).complete(new Nothing());
      pending.get(3).completeExceptionally(new IllegalStateException("broken"));

      assertThat(begin(http)).isNotDone();
      assertThat(taken).hasSize(7).endsWith("b");
      assertThat(calls).filteredOn(CompletableFuture::isDone).hasSize(2);
    }
  }

  @Test
  void countsNoCallThatCouldNotBegin() {
    broken = true;
    try (var http = spread(1)) {
      assertThatThrownBy(() -> begin(http)).hasMessage("bad request");
      broken = false;

      assertThat(begin(http)).isNotDone();
      assertThat(taken).containsExactly("a", "a");
    }
  }

  @Test
  void countsCallsThatWait() throws Exception {
    try (var http = spread(1)) {
      var first =
          Thread.startVirtualThread(() -> http.execute(REQUEST, RequestOptions.none()).close());
      org.awaitility.Awaitility.await().until(() -> taken.size() == 1);
      assertThat(begin(http)).isNotDone();
      gate.countDown();
      first.join();
      assertThat(begin(http)).isNotDone();

      assertThat(taken).containsExactly("a", "b", "a");
    }
  }
}
