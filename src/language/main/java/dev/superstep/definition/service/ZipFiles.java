package dev.superstep.definition.service;

import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.ZipInputStream;

/// Reads the files of a zip, in memory and within bounds: a small one may unpack to any size.
final class ZipFiles {
  /// Folders count.
  private static final int ENTRIES_MAX = 500;

  private ZipFiles() {}

  /// File name → content, in the order of the zip. Names are only names: nothing is written to
  /// disk.
  ///
  /// @param bytesMax of the zip, and of all files together
  /// @throws ServiceException `body_too_large`; `unreadable_body` if it is no zip, or has a file
  ///   twice
  static Map<String, byte[]> read(byte[] zip, int bytesMax) {
    if (zip.length > bytesMax) {
      throw tooLarge("the bundle has %d bytes".formatted(zip.length), bytesMax);
    }
    try (var in = new ZipInputStream(new ByteArrayInputStream(zip), StandardCharsets.UTF_8)) {
      return read(in, bytesMax);
    } catch (IOException | IllegalArgumentException e) {
      throw unreadable("the body is no zip that can be read: " + e.getMessage());
    }
  }

  private static Map<String, byte[]> read(ZipInputStream in, int bytesMax) throws IOException {
    var files = new LinkedHashMap<String, byte[]>();
    int left = bytesMax;
    int entries = 0;
    for (var entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
      if (++entries > ENTRIES_MAX) {
        throw unreadable("the bundle has more than %d files and folders".formatted(ENTRIES_MAX));
      }
      var content = in.readNBytes(left + 1);
      if (content.length > left) {
        throw tooLarge("the files of the bundle have more bytes together", bytesMax);
      }
      left -= content.length;
      if (!entry.isDirectory() && files.put(entry.getName(), content) != null) {
        throw unreadable("the bundle has two files '%s'".formatted(entry.getName()));
      }
    }
    if (entries == 0) {
      throw unreadable("the body is no zip, or an empty one");
    }
    return files;
  }

  private static ServiceException tooLarge(String what, int bytesMax) {
    return new ServiceException(
        ErrorCode.BODY_TOO_LARGE,
        "%s; superstep.definitions.bytes-max allows %d".formatted(what, bytesMax));
  }

  private static ServiceException unreadable(String message) {
    return new ServiceException(ErrorCode.UNREADABLE_BODY, message);
  }
}
