package dev.superstep.checkpoint;

import dev.superstep.state.value.CarrierYield;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/// Compresses snapshots above a minimum size with zlib. They are most of what a run with a large
/// state writes, and PostgreSQL's own compression finds nothing in text without repeats.
public final class Compression {
  private static final int LEAST_BYTES = 2048;
  private static final byte PLAIN = '{';

  private Compression() {}

  /// @param json an object: its first byte never begins a zlib stream
  public static byte[] pack(byte[] json) {
    if (json.length < LEAST_BYTES) {
      return json;
    }
    var packed = new ByteArrayOutputStream(json.length / 2);
    try (var deflater = new Deflater(Deflater.BEST_SPEED);
        var out = new DeflaterOutputStream(packed, deflater)) {
      for (int at = 0; at < json.length; at += CarrierYield.EVERY_BYTES) {
        out.write(json, at, Math.min(CarrierYield.EVERY_BYTES, json.length - at));
        CarrierYield.now();
      }
    } catch (IOException e) {
      throw new IllegalStateException("memory does not fail", e);
    }
    return packed.toByteArray();
  }

  static InputStream unpack(byte[] stored) {
    var bytes = new ByteArrayInputStream(stored);
    return stored[0] == PLAIN ? bytes : new InflaterInputStream(bytes);
  }
}
