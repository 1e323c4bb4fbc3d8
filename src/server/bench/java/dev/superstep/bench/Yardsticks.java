package dev.superstep.bench;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/// Timed beside every repeat: they say what the machine was worth at that moment.
record Yardsticks(double hashSeconds, double commitsPerSecond) {
  private static final int BLOCK = 1 << 20;
  private static final int BLOCKS = 256;
  private static final double COMMITS_SECONDS = 0.3;

  static Yardsticks measure(RawCommits commits) throws Exception {
    var measured = new Yardsticks(hash(), commits.jdbc(1, COMMITS_SECONDS));
    commits.clear();
    return measured;
  }

  /// 256 MiB of SHA-256.
  private static double hash() throws NoSuchAlgorithmException {
    var digest = MessageDigest.getInstance("SHA-256");
    var block = new byte[BLOCK];
    long begun = System.nanoTime();
    for (int i = 0; i < BLOCKS; i++) {
      digest.update(block);
    }
    block[0] = digest.digest()[0];
    return (System.nanoTime() - begun) / 1e9;
  }
}
