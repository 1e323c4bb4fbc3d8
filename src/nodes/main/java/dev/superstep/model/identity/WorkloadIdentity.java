package dev.superstep.model.identity;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/// What this process is to a cloud, in place of a key. Free to share between threads.
@FunctionalInterface
public interface WorkloadIdentity {
  /// Proves it for one request, which is to be sent as it is given here.
  ///
  /// @param body that is posted as JSON
  /// @throws IdentityException if the cloud does not know this process
  /// @throws IOException if the cloud cannot be asked
  CallProof prove(URI uri, byte[] body) throws IOException, InterruptedException, TimeoutException;

  /// @param headers to be added
  /// @param secrets in them, which nobody may be shown
  record CallProof(Map<String, String> headers, List<String> secrets) {
    static CallProof bearer(String token) {
      return new CallProof(Map.of("Authorization", "Bearer " + token), List.of(token));
    }

    @Override
    public String toString() {
      return "CallProof of " + headers.keySet();
    }
  }
}
