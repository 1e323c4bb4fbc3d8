package dev.superstep.security.token;

import com.nimbusds.jose.util.Resource;
import com.nimbusds.jose.util.ResourceRetriever;
import java.io.IOException;
import java.net.URL;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Bounds the whole time of a retrieval: the time-outs of a socket count from each byte, so that a
/// server that drips would hold the request that waits for its answer. The thread that is left
/// behind is virtual; its interrupt closes the connection.
///
/// @param retriever does it
/// @param timeout from the request to the last byte
record TimedRetriever(ResourceRetriever retriever, Duration timeout) implements ResourceRetriever {

  @Override
  public Resource retrieveResource(URL url) throws IOException {
    var retrieval = new FutureTask<>(() -> retriever.retrieveResource(url));
    Thread.ofVirtual().name("issuer").start(retrieval);
    try {
      return retrieval.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new IOException("no complete answer within " + timeout, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    } finally {
      retrieval.cancel(true);
    }
  }
}
