package dev.superstep.database;

import java.nio.file.Path;

/// The main class of a process that owns an embedded database until its standard input ends, for
/// tests that kill it.
final class DatabaseOwner {

  private DatabaseOwner() {}

  public static void main(String[] args) throws Exception {
    try (EmbeddedDatabase database = EmbeddedDatabase.start(Path.of(args[0]))) {
      EmbeddedDatabaseTests.execute(database, "create table kept as select 42 as answer");
      System.out.println("ready");
      System.in.readAllBytes();
    }
  }
}
