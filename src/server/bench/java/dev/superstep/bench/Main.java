package dev.superstep.bench;

/// `workloads` measures W1 to W6; anything else goes to JMH.
public final class Main {
  private Main() {}

  public static void main(String[] args) throws Exception {
    if (args.length > 0 && args[0].equals("workloads")) {
      Workloads.run(BenchOptions.fromSystemProperties());
      // Nothing that a workload has left behind may keep the process.
      System.exit(0);
    }
    org.openjdk.jmh.Main.main(args);
  }
}
