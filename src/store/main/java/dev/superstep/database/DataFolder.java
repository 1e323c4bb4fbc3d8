package dev.superstep.database;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import org.springframework.util.FileSystemUtils;

/// The folder of one embedded database, claimed by this process until closed.
///
/// The claim is a lock of the operating system, so it ends with the process, however that dies, and
/// it makes stopping a left-over server safe: the process that started the server must be gone for
/// the claim to succeed.
final class DataFolder implements AutoCloseable {

  private static final int PASSWORD_BYTES = 24;

  private final Path root;
  private final FileChannel claim;

  private DataFolder(Path root, FileChannel claim) {
    this.root = root;
    this.claim = claim;
  }

  /// Claims the folder, creating it if need be.
  ///
  /// @throws EmbeddedDatabaseException if another process, or this one, holds it already
  static DataFolder claim(Path folder) {
    Path root = folder.toAbsolutePath().normalize();
    Path lock = root.resolve("lock");
    try {
      Files.createDirectories(root, ownerOnly("rwx------"));
      FileChannel channel =
          FileChannel.open(
              lock, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
      if (!locked(channel)) {
        channel.close();
        throw inUse(root, Files.readString(lock));
      }
      String owner = Long.toString(ProcessHandle.current().pid());
      channel.truncate(0).write(ByteBuffer.wrap(owner.getBytes(StandardCharsets.US_ASCII)), 0);
      return new DataFolder(root, channel);
    } catch (IOException e) {
      throw new EmbeddedDatabaseException(
          "The data folder " + root + " cannot be used: " + e,
          "Make it writable, or name another one with SUPERSTEP_DATA_DIR.",
          e);
    }
  }

  private static FileAttribute<?> ownerOnly(String permissions) {
    return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions));
  }

  private static boolean locked(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException _) {
      return false;
    }
  }

  private static EmbeddedDatabaseException inUse(Path root, String owner) {
    return new EmbeddedDatabaseException(
        "The data folder " + root + " is in use by the process " + owner + ".",
        "Stop that process, name another folder with SUPERSTEP_DATA_DIR, or let both use one"
            + " PostgreSQL server with SPRING_DATASOURCE_URL.");
  }

  /// The data directory of PostgreSQL.
  Path cluster() {
    return root.resolve("pg");
  }

  Path binaries() {
    return root.resolve("bin");
  }

  Path log() {
    return root.resolve("postgres.log");
  }

  Path passwordFile() {
    return root.resolve("password");
  }

  /// The password of the cluster: made once, readable by the owner only, because the server listens
  /// on loopback, where every local user can reach it.
  String password() throws IOException {
    if (Files.notExists(passwordFile())) {
      if (Files.exists(cluster())) {
        throw new EmbeddedDatabaseException(
            "The file " + passwordFile() + " is missing, so the database cannot be opened.",
            "Restore it with the rest of the folder, or begin with an empty folder.");
      }
      byte[] secret = new byte[PASSWORD_BYTES];
      new SecureRandom().nextBytes(secret);
      Files.createFile(passwordFile(), ownerOnly("rw-------"));
      Files.writeString(passwordFile(), HexFormat.of().formatHex(secret));
    }
    return Files.readString(passwordFile()).strip();
  }

  /// Removes what an interrupted first start left behind: a half-made cluster holds no data.
  boolean beginUnlessComplete() throws IOException {
    if (Files.exists(cluster()) && Files.notExists(incomplete())) {
      return false;
    }
    if (Files.exists(incomplete())) {
      FileSystemUtils.deleteRecursively(cluster());
      Files.deleteIfExists(passwordFile());
    }
    Files.writeString(incomplete(), "The cluster beside this file is being created.\n");
    return true;
  }

  void complete() throws IOException {
    Files.delete(incomplete());
  }

  private Path incomplete() {
    return root.resolve("pg.incomplete");
  }

  @Override
  public void close() {
    try {
      claim.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
