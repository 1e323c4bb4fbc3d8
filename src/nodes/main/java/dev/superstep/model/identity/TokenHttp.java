package dev.superstep.model.identity;

import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Asks those who give tokens.
@FunctionalInterface
public interface TokenHttp {
  TokenAnswer ask(TokenQuestion question)
      throws IOException, InterruptedException, TimeoutException;

  /// @param body null: the question is a GET
  @SuppressWarnings("ArrayRecordComponent") // is never compared
  record TokenQuestion(URI uri, Map<String, String> headers, byte @Nullable [] body) {
    @Override
    public String toString() {
      return "TokenQuestion to " + uri;
    }
  }

  /// @param body its beginning
  record TokenAnswer(int status, String body) {
    @Override
    public String toString() {
      return "TokenAnswer with status " + status;
    }
  }
}
