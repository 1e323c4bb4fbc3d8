package dev.superstep.starter;

import org.springframework.context.ApplicationListener;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ContextClosedEvent;

/// Lets Superstep answer calls that wait, and hand its runs over, before the web server waits for
/// its requests to end.
final class EmbeddedDrain implements SmartLifecycle, ApplicationListener<ContextClosedEvent> {
  private final EmbeddedService service;
  private volatile boolean running;

  EmbeddedDrain(EmbeddedService service) {
    this.service = service;
  }

  @Override
  public void onApplicationEvent(ContextClosedEvent event) {
    service.close(event);
  }

  @Override
  public void start() {
    running = true;
  }

  @Override
  public void stop() {
    running = false;
    service.drain();
  }

  @Override
  public boolean isRunning() {
    return running;
  }
}
