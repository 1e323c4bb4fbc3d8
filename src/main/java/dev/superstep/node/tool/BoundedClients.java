package dev.superstep.node.tool;

import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Builder;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpClient.Version;
import java.time.Duration;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/// Builds clients with bounded answers for those who take a builder only.
///
/// @param builder of the clients within
record BoundedClients(Builder builder, AnswerBounds bounds) implements Builder {

  @Override
  public HttpClient build() {
    return new BoundedAnswers(builder.build(), bounds);
  }

  @Override
  public Builder cookieHandler(CookieHandler handler) {
    builder.cookieHandler(handler);
    return this;
  }

  @Override
  public Builder connectTimeout(Duration duration) {
    builder.connectTimeout(duration);
    return this;
  }

  @Override
  public Builder sslContext(SSLContext context) {
    builder.sslContext(context);
    return this;
  }

  @Override
  public Builder sslParameters(SSLParameters parameters) {
    builder.sslParameters(parameters);
    return this;
  }

  @Override
  public Builder executor(Executor executor) {
    builder.executor(executor);
    return this;
  }

  @Override
  public Builder followRedirects(Redirect policy) {
    builder.followRedirects(policy);
    return this;
  }

  @Override
  public Builder version(Version version) {
    builder.version(version);
    return this;
  }

  @Override
  public Builder priority(int priority) {
    builder.priority(priority);
    return this;
  }

  @Override
  public Builder proxy(ProxySelector selector) {
    builder.proxy(selector);
    return this;
  }

  @Override
  public Builder authenticator(Authenticator authenticator) {
    builder.authenticator(authenticator);
    return this;
  }
}
