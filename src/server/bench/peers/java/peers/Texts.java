package peers;

import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;

/// Incompressible text, made as the workloads of the service make it.
final class Texts {
  private static final String SYMBOLS = "abcdefghijklmnopqrstuvwxyz012345";
  private static final int POOL = 1 << 20;
  private static final String RANDOM = pool();

  private Texts() {}

  static String text(int length) {
    int from = ThreadLocalRandom.current().nextInt(POOL - length);
    return RANDOM.substring(from, from + length);
  }

  private static String pool() {
    var random = new SplittableRandom(1);
    var symbols = new StringBuilder(POOL);
    for (int i = 0; i < POOL; i++) {
      symbols.append(SYMBOLS.charAt(random.nextInt(SYMBOLS.length())));
    }
    return symbols.toString();
  }
}
