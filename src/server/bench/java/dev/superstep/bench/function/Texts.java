package dev.superstep.bench.function;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;

/// Incompressible text: repeated filler would hide in TOAST what checkpoints cost.
public final class Texts {
  private static final String SYMBOLS = "abcdefghijklmnopqrstuvwxyz012345";
  private static final int POOL = 1 << 20;
  private static final int LONGEST = 1 << 13;
  private static final String RANDOM = pool();

  private Texts() {}

  /// `length` characters from 32 symbols, a random piece of 1 MiB of pseudo-random ones: drawing
  /// every character anew would measure the generator.
  public static String text(int length) {
    int from = ThreadLocalRandom.current().nextInt(POOL - LONGEST);
    return RANDOM.substring(from, from + length);
  }

  private static String pool() {
    var random = new SplittableRandom(1);
    var symbols = new byte[POOL];
    for (int i = 0; i < POOL; i++) {
      symbols[i] = (byte) SYMBOLS.charAt(random.nextInt(SYMBOLS.length()));
    }
    return new String(symbols, StandardCharsets.ISO_8859_1);
  }
}
