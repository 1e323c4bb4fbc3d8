package dev.superstep.model.http;

import com.openai.core.RequestOptions;
import com.openai.core.http.HttpClient;
import com.openai.core.http.HttpRequest;
import com.openai.core.http.HttpResponse;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/// Spreads calls over several clients. OkHttp scans all connections of a client for each request
/// and each answer, so that a thousand concurrent calls would cost a million steps. The next client
/// is used only when those before it are busy enough: few calls share few connections. A call
/// counts until its answer begins, which for a stream is early: many streams share a client.
public final class SpreadHttpClient implements HttpClient {
  private final List<Lane> lanes;
  private final int enough;

  /// One client, and how many of its calls wait for an answer to begin.
  private record Lane(HttpClient client, AtomicInteger calls) {}

  /// @param enough calls at a time for one client while another has fewer
  public SpreadHttpClient(List<? extends HttpClient> clients, int enough) {
    lanes = clients.stream().map(it -> new Lane(it, new AtomicInteger())).toList();
    this.enough = enough;
  }

  private Lane next() {
    for (var lane : lanes) {
      if (lane.calls.get() < enough) {
        return lane;
      }
    }
    return lanes.stream().min(Comparator.comparingInt(it -> it.calls.get())).orElseThrow();
  }

  @Override
  public HttpResponse execute(HttpRequest request, RequestOptions options) {
    var lane = next();
    lane.calls.incrementAndGet();
    try {
      return lane.client.execute(request, options);
    } finally {
      lane.calls.decrementAndGet();
    }
  }

  @Override
  public CompletableFuture<HttpResponse> executeAsync(HttpRequest request, RequestOptions options) {
    var lane = next();
    lane.calls.incrementAndGet();
    CompletableFuture<HttpResponse> answer;
    try {
      answer = lane.client.executeAsync(request, options);
    } catch (RuntimeException e) {
      lane.calls.decrementAndGet();
      throw e;
    }
    return answer.whenComplete((_, _) -> lane.calls.decrementAndGet());
  }

  @Override
  public void close() {
    lanes.forEach(it -> it.client.close());
  }
}
