package dev.superstep.http.connection;

import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.tomcat.util.net.NioEndpoint;
import org.jspecify.annotations.Nullable;

/// HTTP/1.1 over a [GuardedEndpoint]. Made by the container.
public final class GuardedProtocol extends Http11NioProtocol {
  private static final long SWEEP_MS = 1_000;
  private @Nullable ScheduledFuture<?> sweeping;

  public GuardedProtocol() {
    super(new GuardedEndpoint());
  }

  private GuardedEndpoint endpoint() {
    return (GuardedEndpoint) (NioEndpoint) getEndpoint();
  }

  void guard(ConnectionSettings settings) {
    endpoint().guard(settings);
  }

  @Override
  public void start() throws Exception {
    super.start();
    sweeping =
        getUtilityExecutor()
            .scheduleWithFixedDelay(endpoint()::sweep, SWEEP_MS, SWEEP_MS, TimeUnit.MILLISECONDS);
  }

  @Override
  public void stop() throws Exception {
    if (sweeping != null) {
      sweeping.cancel(false);
    }
    super.stop();
  }
}
