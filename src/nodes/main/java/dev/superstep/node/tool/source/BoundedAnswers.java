package dev.superstep.node.tool.source;

import java.net.http.HttpClient;
import java.net.http.HttpResponse.BodyHandler;

/// The JDK's client with a bound on each answer, whole or streamed: the client of MCP servers reads
/// lines, events and bodies of any length.
final class BoundedAnswers extends WrappedHttpClient {
  private final AnswerBounds bounds;

  BoundedAnswers(HttpClient client, AnswerBounds bounds) {
    super(client);
    this.bounds = bounds;
  }

  @Override
  protected <T> BodyHandler<T> wrap(BodyHandler<T> handler) {
    return info -> new BoundedBody<>(handler.apply(info), bounds);
  }
}
