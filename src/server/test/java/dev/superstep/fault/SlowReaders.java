package dev.superstep.fault;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Clients that open streams of events and hardly read them, or go away: nobody else may notice.
record SlowReaders(int readers) implements Scenario {

  @Override
  public String name() {
    return "slow readers of events";
  }

  @Override
  public void play(Stage stage) throws Exception {
    var cluster = stage.cluster();
    var load = new Load(cluster, "read");
    var sockets = new ArrayList<Socket>();
    Verdict.after(
        stage,
        load,
        () -> {
          load.start(10);
          for (var run : load.runs()) {
            for (int i = 0; i < readers; i++) {
              var replica = cluster.replicas().get(i % cluster.replicas().size());
              sockets.add(open(replica, run));
            }
          }
          stage.tally().fault("streams not read", sockets.size());
          for (int i = 0; i < sockets.size(); i += 2) {
            sockets.get(i).close(); // without a word
            stage.tally().fault("streams left");
          }
          long begin = System.nanoTime();
          load.start(10);
          load.finish(Duration.ofSeconds(60));
          stage.tally().figure("others_ms", Duration.ofNanos(System.nanoTime() - begin).toMillis());
        });
    late(stage, List.copyOf(load.runs()).getFirst());
    for (var socket : sockets) {
      socket.close();
    }
  }

  /// A stream that is opened after the end gives all stored events once, in order.
  private static void late(Stage stage, String run) {
    var body = stage.cluster().get("/v1/runs/" + run + "/events?limit=200").body().toString();
    if (!body.contains("run.succeeded")) {
      stage.tally().violation("the events of %s do not end: %s".formatted(run, body));
    }
  }

  private static Socket open(Replica replica, String run) throws IOException {
    var socket = new Socket();
    socket.setReceiveBufferSize(1024);
    socket.connect(
        new java.net.InetSocketAddress(InetAddress.getLoopbackAddress(), replica.port()));
    var request =
        "GET /v1/runs/%s/stream?follow=true HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAccept: text/event-stream\r\n\r\n"
            .formatted(run, replica.port());
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }
}
